import * as maplibre from 'maplibre-gl'
// A production build cannot find the worker: its address is given here.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'

maplibre.setWorkerUrl(workerUrl)
// Its worker starts now, beside what the first map waits for, and is kept for the next map. Unit tests have no workers.
if (typeof Worker !== 'undefined') maplibre.prewarm()

export { maplibre }
