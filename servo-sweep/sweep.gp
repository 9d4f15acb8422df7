reset
set encoding utf8
set minussign
set terminal svg enhanced size 560,300 font "sans-serif,13" background "#ffffff"
set output "sweep.svg"
set datafile missing "NaN"
set key off
set tics nomirror out scale 0.5
set border 3
set multiplot layout 1,1
set grid
set xlabel "{/:Italic Kp} [kg m²/s²/A]"
set xrange [0.005:2.095]
set ylabel "{/:Italic settle} [s]"
set yrange [1.9:2.1]
plot "sweep.dat" using 1:2 with linespoints linewidth 1.8 pointtype 7 pointsize 0.3 linecolor rgb "#2458a6"
unset multiplot
unset output
