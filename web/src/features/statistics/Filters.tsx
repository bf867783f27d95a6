import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Segments, SelectInput, type Choice as Option } from '@/ui/field/inputs'
import { textOf } from '@/ui/format'
import { queryOf, presets, type StatisticsFilters } from './filter-state'
import { useNames } from './names'
import { SettledDay } from './SettledDay'
import { breakdownQuery, sources } from './statistics'
import classes from './statistics.module.css'

interface FiltersProps {
  choice: StatisticsFilters
  change: (change: Record<string, string | undefined>) => void
}

/** The period and the filters of the figures; their state is in the address. */
export function Filters({ choice, change }: FiltersProps) {
  const { t } = useTranslation('statistics')
  const me = useMe()
  const names = useNames()
  const query = queryOf(choice)
  // The choices are all values that were counted in the period, whatever the other filters.
  const countries = useQuery(breakdownQuery({ ...query, country: undefined }, 'country', choice.kind)).data ?? []
  const languages = useQuery(breakdownQuery({ ...query, language: undefined }, 'language', choice.kind)).data ?? []
  const withChosen = (keys: string[], chosen: string | undefined) =>
    chosen === undefined || keys.includes(chosen) ? keys : [chosen, ...keys]
  const options = (keys: string[], nameOf: (key: string) => string): Option[] => keys.map((value) => ({ value, label: nameOf(value) }))
  return (
    <div className={classes['filters']} role="search" aria-label={t('filters')}>
      <Period choice={choice} change={change} />
      <div className={classes['selects']}>
        {me.white_labels.length > 1 && (
          <Pick
            label={t('whiteLabel')}
            value={String(choice.whiteLabel)}
            options={[
              { value: '0', label: t('allWhiteLabels') },
              ...me.white_labels.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(value) =>
              change({ white_label: value === String(me.active_white_label_id) ? undefined : (value ?? undefined), parcours: undefined })
            }
          />
        )}
        <Pick
          label={t('source')}
          value={choice.source}
          empty={t('anyLanguage')}
          options={options([...sources], names.source)}
          onChange={(source) => change({ source })}
        />
        <Pick
          label={t('country')}
          value={choice.country}
          empty={t('any')}
          options={options(
            withChosen(
              countries.map(({ key }) => key),
              choice.country,
            ),
            names.country,
          )}
          onChange={(country) => change({ country })}
        />
        <Pick
          label={t('language')}
          value={choice.language}
          empty={t('anyLanguage')}
          options={options(
            withChosen(
              languages.map(({ key }) => key),
              choice.language,
            ),
            names.language,
          )}
          onChange={(language) => change({ language })}
        />
        {choice.parcours !== undefined && <OneParcours choice={choice} onDrop={() => change({ parcours: undefined })} />}
      </div>
    </div>
  )
}

function Period({ choice, change }: FiltersProps) {
  const { t } = useTranslation('statistics')
  const { from, to } = choice.days
  return (
    <div className={classes['period']}>
      <Segments
        label={t('period.label')}
        value={choice.period}
        onChange={(period) =>
          change(
            period === 'own'
              ? { from, to, period: undefined }
              : { period: period === '30' ? undefined : period, from: undefined, to: undefined },
          )
        }
        choices={[...presets, 'own' as const].map((value) => ({ value, label: t(`period.${value}`) }))}
      />
      {choice.period === 'own' && (
        <>
          <label>
            {t('period.from')}
            <SettledDay value={from} max={to} onChange={(day) => change({ from: day, to: day > to ? day : to })} />
          </label>
          <label>
            {t('period.to')}
            <SettledDay value={to} min={from} onChange={(day) => change({ from: day < from ? day : from, to: day })} />
          </label>
        </>
      )}
    </div>
  )
}

interface PickProps {
  label: string
  value: string | undefined
  empty?: string
  options: readonly Option[]
  onChange: (value: string | undefined) => void
}

function Pick({ label, value, empty, options, onChange }: PickProps) {
  const id = useId()
  return (
    <div className={classes['pick']}>
      <label htmlFor={id}>{label}</label>
      <SelectInput id={id} value={value ?? null} empty={empty} choices={options} onChange={(chosen) => onChange(chosen ?? undefined)} />
    </div>
  )
}

/** The parcours everything is narrowed to, and the way back. */
function OneParcours({ choice, onDrop }: { choice: StatisticsFilters; onDrop: () => void }) {
  const { t } = useTranslation('statistics')
  const rows = useQuery(breakdownQuery(queryOf(choice), 'parcours', choice.kind)).data ?? []
  const title = textOf(rows.find(({ key }) => key === String(choice.parcours))?.title, `n° ${choice.parcours}`)
  return (
    <button type="button" className={classes['chip']} aria-label={t('allParcours')} title={t('allParcours')} onClick={onDrop}>
      {t('onlyParcours', { title })}
      <IconX size={15} stroke={2} aria-hidden />
    </button>
  )
}
