// make-gpx.mjs FOLDER FILES POINTS: recordings that wander over the demo region, deterministic.
import { mkdirSync, writeFileSync } from "node:fs";

const [folder, files, points] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const box = (process.env.BBOX ?? "3.05,44.93,3.30,45.08").split(",").map(Number);
mkdirSync(folder, { recursive: true });

let state = 42;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

for (let file = 0; file < files; file++) {
  let lon = box[0] + random() * (box[2] - box[0]);
  let lat = box[1] + random() * (box[3] - box[1]);
  let heading = random() * 2 * Math.PI;
  const lines = [];
  for (let point = 0; point < points; point++) {
    heading += (random() - 0.5) * 0.4;
    lon = Math.min(box[2], Math.max(box[0], lon + Math.cos(heading) * 1e-4));
    lat = Math.min(box[3], Math.max(box[1], lat + Math.sin(heading) * 7e-5));
    lines.push(`<trkpt lat="${lat.toFixed(6)}" lon="${lon.toFixed(6)}"><ele>${(600 + 200 * Math.sin(point / 200)).toFixed(1)}</ele></trkpt>`);
  }
  writeFileSync(
    `${folder}/${String(file).padStart(5, "0")}.gpx`,
    `<?xml version="1.0"?>\n<gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Essai ${file}</name><trkseg>\n${lines.join("\n")}\n</trkseg></trk></gpx>\n`,
  );
}
