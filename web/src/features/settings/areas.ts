import type { Icon } from '@tabler/icons-react'
import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconBinoculars from '@tabler/icons-react/dist/esm/icons/IconBinoculars.mjs'
import IconBuildingCommunity from '@tabler/icons-react/dist/esm/icons/IconBuildingCommunity.mjs'
import IconCategory from '@tabler/icons-react/dist/esm/icons/IconCategory.mjs'
import IconDirectionSign from '@tabler/icons-react/dist/esm/icons/IconDirectionSign.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileSearch from '@tabler/icons-react/dist/esm/icons/IconFileSearch.mjs'
import IconGauge from '@tabler/icons-react/dist/esm/icons/IconGauge.mjs'
import IconHeartbeat from '@tabler/icons-react/dist/esm/icons/IconHeartbeat.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconListTree from '@tabler/icons-react/dist/esm/icons/IconListTree.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconRadar2 from '@tabler/icons-react/dist/esm/icons/IconRadar2.mjs'
import IconRoute2 from '@tabler/icons-react/dist/esm/icons/IconRoute2.mjs'
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs'
import IconTools from '@tabler/icons-react/dist/esm/icons/IconTools.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconTruck from '@tabler/icons-react/dist/esm/icons/IconTruck.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconWalk from '@tabler/icons-react/dist/esm/icons/IconWalk.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import type { Capability } from '@/api/types'
import type { EntityKind } from '@/records/resource/define'
import { lists } from './vocabularies/kinds'

export type AreaKey =
  | Exclude<
      EntityKind,
      | 'poi'
      | 'media'
      | 'transport_line'
      | 'closure'
      | 'provider_link'
      | 'survey_campaign'
      | 'import_source'
      | 'sit_record'
      | 'transport_feed'
      | 'translator'
    >
  | 'sit'
  | 'watch'
  | 'translations'
  | 'bin'
  | 'journal'
  | 'jobs'
  | 'status'
  | 'imports'
  | 'importLogs'
  | 'moves'

/** One area of the settings. */
export interface SettingsArea {
  key: AreaKey
  path: string
  icon: Icon
  /** The capability that opens the area. */
  may?: Capability
}

/** The areas, group by group. */
export const groups: readonly { key: 'organisation' | 'parcours' | 'pois'; areas: readonly SettingsArea[] }[] = [
  {
    key: 'organisation',
    areas: [
      { key: 'white_label', path: '/settings/marques-blanches', icon: IconWorld },
      { key: 'structure', path: '/settings/structures', icon: IconBuildingCommunity },
      { key: 'contact', path: '/settings/contacts', icon: IconAddressBook },
      { key: 'user', path: '/settings/users', icon: IconUsers, may: 'users.manage' },
      { key: 'journal', path: '/settings/journal', icon: IconFileSearch, may: 'users.manage' },
      { key: 'jobs', path: '/settings/taches', icon: IconListCheck, may: 'users.manage' },
      { key: 'status', path: '/settings/etat', icon: IconHeartbeat, may: 'users.manage' },
      { key: 'structure_type', path: lists.structure_type.path, icon: IconCategory },
    ],
  },
  {
    key: 'parcours',
    areas: [
      { key: 'practice_type', path: lists.practice_type.path, icon: IconWalk },
      { key: 'level', path: lists.level.path, icon: IconGauge },
      { key: 'parcours_theme', path: lists.parcours_theme.path, icon: IconPalette },
      { key: 'marking', path: lists.marking.path, icon: IconDirectionSign },
      { key: 'equipment', path: lists.equipment.path, icon: IconTools },
      { key: 'tag', path: lists.tag.path, icon: IconTags },
      { key: 'itinerary', path: '/settings/itineraires', icon: IconRoute2 },
      { key: 'imports', path: '/settings/imports-parcours', icon: IconDownload, may: 'content.import' },
      { key: 'moves', path: '/settings/demenagement', icon: IconTruck, may: 'content.import' },
      { key: 'importLogs', path: '/settings/logs-imports-parcours', icon: IconListDetails, may: 'content.import' },
      { key: 'translations', path: '/settings/traductions', icon: IconLanguage, may: 'content.write' },
      { key: 'watch', path: '/settings/veille-reseau', icon: IconRadar2 },
    ],
  },
  {
    key: 'pois',
    areas: [
      { key: 'poi_category', path: lists.poi_category.path, icon: IconListTree },
      { key: 'poi_theme', path: lists.poi_theme.path, icon: IconBinoculars },
      { key: 'sit', path: '/settings/pois-sit', icon: IconPlugConnected },
      { key: 'bin', path: '/settings/corbeille', icon: IconTrash, may: 'content.write' },
    ],
  },
]
