#!/bin/sh
# A sweep on many machines without MPI: its processes meet in the folder, which all must see:
#   sbatch --ntasks=64 srun.sh MODEL.qdot
#SBATCH --job-name=qdot-srun
#SBATCH --ntasks=4 --cpus-per-task=1
#SBATCH --output=sweep-%j.out
exec srun qdot sweep "$1"
