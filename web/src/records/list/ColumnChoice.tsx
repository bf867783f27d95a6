import { useLocalStorage } from '@mantine/hooks'
import IconColumns from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { Checkbox } from '@/ui/field/inputs'
import { PopoverButton } from '@/ui/menu/PopoverButton'
import classes from './FilterBar.module.css'
import type { Column } from './ResourceList'

/** The search parameter that holds the columns of a view. */
export const columnsParam = 'columns'

export interface ColumnControl<R> {
  /** The columns shown, in the order of the list. */
  columns: readonly Column<R>[]
  all: readonly Column<R>[]
  shown: readonly string[]
  setShown: (keys: readonly string[]) => void
}

/** Which columns are shown: those of the view that the address names, else those remembered on this device; the first one always. */
export function useColumnChoice<R>(resource: string, all: readonly Column<R>[], hidden: readonly string[] = []): ColumnControl<R> {
  const usual = all.filter(({ key, optional }) => optional !== true && !hidden.includes(key)).map(({ key }) => key)
  const [kept, setKept] = useLocalStorage<string[] | null>({
    key: `jalon.columns.${resource}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const requested: unknown = useSearch({ strict: false })[columnsParam]
  const navigate = useNavigate()
  const ofView = typeof requested === 'string' && requested !== '' ? requested.split(',') : null
  const known = (ofView ?? kept)?.filter((key) => all.some((column) => column.key === key)) ?? []
  const shown = known.length > 0 ? known : usual
  const setShown = (keys: readonly string[]) => {
    if (ofView === null) setKept([...keys])
    else
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, [columnsParam]: keys.join(',') }),
        replace: true,
        resetScroll: false,
      })
  }
  return { all, shown, columns: all.filter(({ key }, index) => index === 0 || shown.includes(key)), setShown }
}

/** The columns of a list, each to be ticked. */
export function ColumnChoice<R>({ control }: { control: ColumnControl<R> }) {
  const { t } = useTranslation()
  const { all, shown, setShown } = control
  return (
    <PopoverButton
      position="bottom-end"
      width={240}
      label={t('list.columns')}
      className={classes['menu']}
      button={<IconButton size="small" look="ghost" label={t('list.columns')} icon={<IconColumns size={18} stroke={1.75} aria-hidden />} />}
    >
      {() =>
        all
          .slice(1)
          .map(({ key, header }) => (
            <Checkbox
              key={key}
              checked={shown.includes(key)}
              label={header}
              onChange={(on) => setShown(on ? [...shown, key] : shown.filter((one) => one !== key))}
            />
          ))
      }
    </PopoverButton>
  )
}
