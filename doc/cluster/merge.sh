#!/bin/sh
# Joins what array.sh has made to one table.
#SBATCH --job-name=qdot-merge
#SBATCH --ntasks=1
#SBATCH --output=sweep-%j.out
model=$1
folder=$(basename "$model" .qdot)-sweep
exec qdot sweep "$model" --out "$folder" --merge "$folder"
