import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import IconBed from '@tabler/icons-react/dist/esm/icons/IconBed.mjs'
import IconBike from '@tabler/icons-react/dist/esm/icons/IconBike.mjs'
import IconBuildingMonument from '@tabler/icons-react/dist/esm/icons/IconBuildingMonument.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconCar from '@tabler/icons-react/dist/esm/icons/IconCar.mjs'
import IconHorse from '@tabler/icons-react/dist/esm/icons/IconHorse.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconLeaf from '@tabler/icons-react/dist/esm/icons/IconLeaf.mjs'
import IconMountain from '@tabler/icons-react/dist/esm/icons/IconMountain.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSailboat from '@tabler/icons-react/dist/esm/icons/IconSailboat.mjs'
import IconSkateboard from '@tabler/icons-react/dist/esm/icons/IconSkateboard.mjs'
import IconSnowflake from '@tabler/icons-react/dist/esm/icons/IconSnowflake.mjs'
import IconTicket from '@tabler/icons-react/dist/esm/icons/IconTicket.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import IconToolsKitchen2 from '@tabler/icons-react/dist/esm/icons/IconToolsKitchen2.mjs'
import IconTrain from '@tabler/icons-react/dist/esm/icons/IconTrain.mjs'
import IconWalk from '@tabler/icons-react/dist/esm/icons/IconWalk.mjs'
import type { Icon } from '@tabler/icons-react'

/** The icons that an item of a list may have, by their names: pictograms in feeds have the same (`crates/outputs/src/feed/icons.json`). */
export const itemIcons: Readonly<Record<string, Icon>> = {
  basket: IconBasket,
  bed: IconBed,
  bike: IconBike,
  boat: IconSailboat,
  calendar: IconCalendar,
  car: IconCar,
  fork: IconToolsKitchen2,
  horse: IconHorse,
  info: IconInfoCircle,
  leaf: IconLeaf,
  monument: IconBuildingMonument,
  mtb: IconMountain,
  multi: IconRoute,
  skate: IconSkateboard,
  snow: IconSnowflake,
  ticket: IconTicket,
  train: IconTrain,
  walk: IconWalk,
  warning: IconAlertTriangle,
  wrench: IconTool,
}
