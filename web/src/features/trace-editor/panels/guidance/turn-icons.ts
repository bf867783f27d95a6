import type { Icon } from '@tabler/icons-react'
import IconArrowBack from '@tabler/icons-react/dist/esm/icons/IconArrowBack.mjs'
import IconArrowBearLeft from '@tabler/icons-react/dist/esm/icons/IconArrowBearLeft.mjs'
import IconArrowBearRight from '@tabler/icons-react/dist/esm/icons/IconArrowBearRight.mjs'
import IconArrowRoundaboutRight from '@tabler/icons-react/dist/esm/icons/IconArrowRoundaboutRight.mjs'
import IconArrowSharpTurnLeft from '@tabler/icons-react/dist/esm/icons/IconArrowSharpTurnLeft.mjs'
import IconArrowSharpTurnRight from '@tabler/icons-react/dist/esm/icons/IconArrowSharpTurnRight.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import IconCornerUpRight from '@tabler/icons-react/dist/esm/icons/IconCornerUpRight.mjs'
import IconFlag2 from '@tabler/icons-react/dist/esm/icons/IconFlag2.mjs'
import IconFlagCheck from '@tabler/icons-react/dist/esm/icons/IconFlagCheck.mjs'
import IconLineDashed from '@tabler/icons-react/dist/esm/icons/IconLineDashed.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconShip from '@tabler/icons-react/dist/esm/icons/IconShip.mjs'
import IconStairs from '@tabler/icons-react/dist/esm/icons/IconStairs.mjs'
import type { InstructionKind } from '@/api/types'

export const turnIcons: Record<InstructionKind, Icon> = {
  depart: IconFlag2,
  continue: IconArrowUp,
  slight_left: IconArrowBearLeft,
  turn_left: IconCornerUpLeft,
  sharp_left: IconArrowSharpTurnLeft,
  slight_right: IconArrowBearRight,
  turn_right: IconCornerUpRight,
  sharp_right: IconArrowSharpTurnRight,
  u_turn: IconArrowBack,
  roundabout: IconArrowRoundaboutRight,
  ferry: IconShip,
  steps: IconStairs,
  via: IconMapPin,
  off_network: IconLineDashed,
  rejoin: IconRoute,
  arrive: IconFlagCheck,
}
