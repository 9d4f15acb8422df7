#!/bin/sh
# A sweep on many machines by Open MPI: sbatch --ntasks=64 mpirun.sh MODEL.qdot
# Submitted again, it goes on with what is missing. Only the first process needs the folder.
#SBATCH --job-name=qdot-mpirun
#SBATCH --ntasks=4 --cpus-per-task=1
#SBATCH --output=sweep-%j.out
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec mpirun -n "$SLURM_NTASKS" qdot sweep "$1"
