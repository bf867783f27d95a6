type Run = { state: string } | null | undefined

/** Whether a run of a source is not over. */
export const isRunning = (run: Run): boolean => run?.state === 'running'

/** The interval at which an active run is fetched. */
export const RUN_MS = 1500

/** The `refetchInterval` of runs: none once all of them are over. */
export const whileRunning = (runs: readonly Run[] = []): number | false => (runs.some(isRunning) ? RUN_MS : false)
