import { useMemo } from 'react'
import type { Position } from '@/api/types'
import { CursorOnMap, StepDot, TraceLine, type LineKind, type StepDotProps } from './layers'
import { bboxOf } from './geo'
import { measure } from './line'
import { MapCanvas } from './MapCanvas'

export interface ParcoursMapProps {
  label: string
  /** The line the cursor runs along. */
  line: readonly Position[]
  kind?: 'planned' | 'source'
  /** Stretches drawn over the line: off the network, closed, not judged; and the detours. */
  stretches?: readonly { kind: LineKind; line: readonly Position[] }[]
  steps?: readonly StepDotProps[]
  still?: boolean
}

const overKinds = ['detour', 'unjudged', 'off_network', 'closed'] as const

/** One trace with its stretches, its steps and the shared cursor. */
export default function ParcoursMap({ label, line, kind = 'planned', stretches = [], steps = [], still = false }: ParcoursMapProps) {
  const measured = useMemo(() => measure(line), [line])
  const bounds = useMemo(() => bboxOf(line), [line])
  const lines = useMemo(() => [line], [line])
  return (
    <MapCanvas label={label} bounds={bounds} still={still} follow>
      <TraceLine id="trace" kind={kind} lines={lines} selected={!still} />
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
