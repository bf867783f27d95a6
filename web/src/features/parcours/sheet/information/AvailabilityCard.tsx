import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useContext, useRef } from 'react'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Field, FieldError, ReadOnly } from '@/ui/field/Field'
import { DateInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { focusField } from '@/records/form/focus'
import { Inherit } from '../Inherit'
import { dayWords } from '../periods'
import { Shown } from '../Shown'
import classes from '../sheet.module.css'
import type { AvailabilityPeriod } from '@/api/types'

/** When the parcours can be done, and with a bicycle or not. */
export function AvailabilityCard() {
  const { t } = useTranslation('sheet')
  return (
    <Card title={t('availability.title')}>
      <div className={classes['fields']}>
        <Shown field="availability">
          <Periods />
        </Shown>
        <Shown field="bike_carriage">
          <Inherit name="bike_carriage" label={t('field.bike_carriage')} />
        </Shown>
      </div>
    </Card>
  )
}

function Periods() {
  const { t } = useTranslation('sheet')
  const { value: periods, set, error } = useField<AvailabilityPeriod[]>('availability')
  const readOnly = useContext(ReadOnlyContext)
  const adder = useRef<HTMLButtonElement>(null)
  if (readOnly) {
    return (
      <ReadOnly label={t('field.availability')}>
        {periods.map(({ from, to }) => t('periodWords', { from: dayWords(from), to: dayWords(to) })).join(', ')}
      </ReadOnly>
    )
  }
  const remove = (index: number) => {
    set(periods.filter((_, at) => at !== index))
    adder.current?.focus()
  }
  const add = () => {
    set([...periods, { from: null, to: null }])
    focusField(`availability.${periods.length}.from`)
  }
  return (
    <fieldset className={classes['group']} data-field="availability">
      <legend>{t('field.availability')}</legend>
      {periods.length === 0 && <p className="small muted">{t('availability.always')}</p>}
      <ul className={classes['periods']}>
        {periods.map((_, index) => (
          // Periods have no id: their place identifies them.
          <li key={`period ${index}`}>
            <PeriodEnd index={index} end="from" label={t('availability.from')} />
            <PeriodEnd index={index} end="to" label={t('availability.to')} />
            <IconButton
              look="ghost"
              label={t('availability.remove', { place: index + 1 })}
              icon={<IconTrash size={18} stroke={1.75} aria-hidden />}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ul>
      <FieldError error={periods.length === 0 ? error : undefined} />
      <Button ref={adder} size="small" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={add}>
        {t('availability.add')}
      </Button>
    </fieldset>
  )
}

function PeriodEnd({ index, end, label }: { index: number; end: 'from' | 'to'; label: string }) {
  const path = `availability.${index}.${end}`
  const { value, set, error } = useField<string | null>(path)
  return (
    <Field label={label} error={error} path={path} required>
      {(wiring) => <DateInput {...wiring} value={value} onChange={set} />}
    </Field>
  )
}
