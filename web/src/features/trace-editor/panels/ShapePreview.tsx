import { useMemo } from 'react'
import type { Position } from '@/api/types'
import { bboxOf } from '@/records/map/geo'
import classes from './import.module.css'

const SIZE = 120
const MARGIN = 8
/** A picture this small shows no more. */
const MAX_POINTS = 400

/** The shape of a file's lines: one stroke a piece, in alternate patterns, so that separate pieces are visible. */
export function ShapePreview({ lines }: { lines: readonly (readonly Position[])[] }) {
  const paths = useMemo(() => draw(lines), [lines])
  return (
    <svg className={classes['shape']} viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE} aria-hidden="true">
      {paths.map((path, index) => (
        <path key={`${index} ${path.slice(0, 40)}`} d={path} data-other={index % 2 === 1 || undefined} />
      ))}
    </svg>
  )
}

function draw(lines: readonly (readonly Position[])[]): string[] {
  const few = lines.filter((line) => line.length > 1).map(sampled)
  const box = bboxOf(few.flat())
  if (!box) return []
  const squeeze = Math.cos((((box[1] + box[3]) / 2) * Math.PI) / 180)
  const scale = (SIZE - 2 * MARGIN) / Math.max((box[2] - box[0]) * squeeze, box[3] - box[1], 1e-9)
  const [dx, dy] = [(SIZE - (box[2] - box[0]) * squeeze * scale) / 2, (SIZE - (box[3] - box[1]) * scale) / 2]
  return few.map((line) =>
    line
      .map(
        ([lon, lat], index) =>
          `${index === 0 ? 'M' : 'L'}${((lon - box[0]) * squeeze * scale + dx).toFixed(1)} ${((box[3] - lat) * scale + dy).toFixed(1)}`,
      )
      .join(''),
  )
}

function sampled(line: readonly Position[]): Position[] {
  const every = Math.ceil(line.length / MAX_POINTS)
  return line.filter((_, index) => index % every === 0 || index === line.length - 1)
}
