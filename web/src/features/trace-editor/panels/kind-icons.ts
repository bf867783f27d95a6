import type { Icon } from '@tabler/icons-react'
import IconAlertHexagon from '@tabler/icons-react/dist/esm/icons/IconAlertHexagon.mjs'
import IconBed from '@tabler/icons-react/dist/esm/icons/IconBed.mjs'
import IconFlag2 from '@tabler/icons-react/dist/esm/icons/IconFlag2.mjs'
import IconFlagCheck from '@tabler/icons-react/dist/esm/icons/IconFlagCheck.mjs'
import IconHeart from '@tabler/icons-react/dist/esm/icons/IconHeart.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconMapPinPlus from '@tabler/icons-react/dist/esm/icons/IconMapPinPlus.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconMoonStars from '@tabler/icons-react/dist/esm/icons/IconMoonStars.mjs'
import IconPoint from '@tabler/icons-react/dist/esm/icons/IconPoint.mjs'
import type { StepKind } from '@/api/types'

export const kindIcons: Record<StepKind, Icon> = {
  waypoint: IconPoint,
  step: IconMapPin,
  optional_step: IconMapPinPlus,
  night: IconMoon,
  nights: IconMoonStars,
  step_night: IconBed,
  departure: IconFlag2,
  arrival: IconFlagCheck,
  favourite: IconHeart,
  advice: IconAlertHexagon,
}
