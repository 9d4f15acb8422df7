#!/bin/sh
# A sweep as a Slurm array, for machines that share a folder but know nothing of each other:
#   job=$(sbatch --parsable --array=1-64 array.sh MODEL.qdot)
#   sbatch --dependency=afterok:$job merge.sh MODEL.qdot
# Submitted again, it goes on with what is missing.
#SBATCH --job-name=qdot-array
#SBATCH --ntasks=1 --cpus-per-task=1
#SBATCH --output=sweep-%A-%a.out
model=$1
folder=$(basename "$model" .qdot)-sweep
exec qdot sweep "$model" --out "$folder" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --threads "${SLURM_CPUS_PER_TASK:-1}"
