import { Ribbon, type RibbonProps } from '@/records/ribbon/Ribbon'
import { plotArea } from './plot-area'

/** The ribbon under a profile, aligned with the kilometres of the profile. */
export function ProfileRibbon(props: Omit<RibbonProps, 'size'>) {
  return (
    <div style={{ paddingLeft: plotArea.leftPx, paddingRight: plotArea.rightPx }}>
      <Ribbon {...props} size="sheet" />
    </div>
  )
}
