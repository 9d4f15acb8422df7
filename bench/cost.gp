# The cost of one right-hand side of N rods, a curve for each tool, from the blocks of bench/tabulate and
# the closed loop of bench_rhs:
# gnuplot -e "data='cost.dat'; peers='curves.dat'; picture='cost.svg'" bench/cost.gp
set terminal svg size 760,520 dynamic background "white" font "sans-serif,13"
set output picture
set datafile missing "-"
set logscale xy
set xlabel "links"
set ylabel "one right-hand side in nanoseconds"
set key outside right top
set grid
set xrange [0.9:230]
set xtics (1, 2, 3, 5, 10, 20, 50, 100, 200)
set format y "10^{%T}"
set linetype 1 lc rgb "#0060ad" lw 3 pt 7
set linetype 2 lc rgb "#888888" lw 1.5 pt 5
set linetype 3 lc rgb "#d55e00" lw 1.5 pt 9
set linetype 4 lc rgb "#009e73" lw 1.5 pt 11
set linetype 5 lc rgb "#aa0044" lw 1.5 pt 13
set linetype 6 lc rgb "#7a4fbf" lw 1.5 pt 4
set linetype 7 lc rgb "#b8860b" lw 1.5 pt 6
set linetype 8 lc rgb "#222222" lw 1.5 pt 8
stats peers using 1 nooutput
plot for [k = 0:STATS_blocks - 2] peers index k using 1:2 with linespoints lt k + 1 title columnheader(1), \
     data using 1:6 with linespoints dashtype 2 lw 1.5 pt 6 lc rgb "#0060ad" title "Qdot, closed loop"
