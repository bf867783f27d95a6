import { useMemo } from 'react'
import { roomOf } from './camera'
import { CursorOnMap, StepDot, TraceLine, type StepDotProps } from './layers'
import { bboxOf } from './geo'
import { measure } from './line'
import { MapCanvas } from './MapCanvas'
import { firstLinesOf, noStretches, overKinds, type ParcoursLines } from './parcours-lines'

export interface ParcoursMapProps extends ParcoursLines {
  label: string
  steps?: readonly StepDotProps[]
}

/** One trace with its stretches, its steps and the shared cursor. */
export default function ParcoursMap({
  label,
  line,
  kind = 'planned',
  stretches = noStretches,
  steps = [],
  still = false,
}: ParcoursMapProps) {
  const measured = useMemo(() => measure(line), [line])
  const bounds = useMemo(() => bboxOf(line), [line])
  const lines = useMemo(() => [line], [line])
  const first = useMemo(() => firstLinesOf({ line, kind, stretches, still }), [line, kind, stretches, still])
  return (
    <MapCanvas label={label} bounds={bounds} still={still} padding={roomOf(still)} first={first} follow>
      <TraceLine id="trace" kind={kind} lines={lines} look={still ? 'plain' : 'selected'} />
      {overKinds.map((over) => (
        <TraceLine
          key={over}
          id={`trace-${over}`}
          kind={over}
          lines={stretches.filter((stretch) => stretch.kind === over).map((stretch) => stretch.line)}
        />
      ))}
      {steps.map((step) => (
        <StepDot key={`${step.kind}-${step.label}-${step.position.join()}`} {...step} />
      ))}
      {!still && <CursorOnMap line={measured} />}
    </MapCanvas>
  )
}
