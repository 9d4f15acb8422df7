# The cost of one right-hand side of N rods, from the figures of bench_rhs:
# gnuplot -e "data='cost.dat'; picture='cost.svg'" bench/cost.gp
set terminal svg size 720,460 dynamic background "white" font "sans-serif,13"
set output picture
set datafile missing "-"
set logscale xy
set xlabel "links"
set ylabel "one right-hand side in nanoseconds"
set key left top
set grid
set xrange [0.9:230]
set xtics (1, 2, 3, 5, 10, 20, 50, 100, 200)
set format y "10^{%T}"
plot data using 1:2 with linespoints pt 7 lw 2 lc rgb "#0060ad" title "Qdot, from the text file", \
     data using 1:3 with linespoints pt 5 lc rgb "#888888" title "by hand in C, articulated bodies", \
     data using 1:4 with linespoints pt 9 lc rgb "#cc6600" title "by hand in C, dense", \
     data using 1:5 with linespoints pt 11 lc rgb "#aa0044" title "Simbody", \
     data using 1:6 with linespoints pt 13 lc rgb "#3a9a3a" title "Qdot, the closed loop"
