import * as maplibre from 'maplibre-gl'
// A production build cannot find the worker: its address is given here.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'

maplibre.setWorkerUrl(workerUrl)

export { maplibre }
