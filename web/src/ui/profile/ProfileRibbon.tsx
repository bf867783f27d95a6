import { Ribbon, type RibbonProps } from '@/ui/ribbon/Ribbon'
import { plotArea } from './plot-area'

/** The ruban under a profile: a kilometre stands under the same kilometre. */
export function ProfileRibbon(props: Omit<RibbonProps, 'size'>) {
  return (
    <div style={{ paddingLeft: plotArea.leftPx, paddingRight: plotArea.rightPx }}>
      <Ribbon {...props} size="sheet" />
    </div>
  )
}
