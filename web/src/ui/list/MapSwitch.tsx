import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconMap from '@tabler/icons-react/dist/esm/icons/IconMap2.mjs'
import { useTranslation } from '@/i18n'
import classes from './MapSwitch.module.css'

/** List or map, where there is no room for both. */
export function MapSwitch({ map, onChange }: { map: boolean; onChange: (map: boolean) => void }) {
  const { t } = useTranslation()
  const Icon = map ? IconList : IconMap
  return (
    <button type="button" className={classes['switch']} onClick={() => onChange(!map)}>
      <Icon size={18} stroke={1.75} aria-hidden />
      {t(map ? 'list.showList' : 'list.showMap')}
    </button>
  )
}
