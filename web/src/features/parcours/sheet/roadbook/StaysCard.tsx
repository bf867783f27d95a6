import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import type { RoadbookMeal, RoadbookSettings, RoadbookStay, Step } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { CheckField } from '@/records/form/choice-fields'
import { TextAreaField, TextField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import { useSheet } from '../context'
import sheet from '../sheet.module.css'
import { HourField } from './DayField'
import { LinesField } from '@/records/form/LinesField'
import { ManyRows } from './ManyRows'
import { FillNight, NightVoucher } from './NightTools'
import { PhotoField } from './PhotoField'
import classes from './roadbook.module.css'
import { nightsOf } from './values'

const noMeal: RoadbookMeal = { name: '', hour: '', included: true, price: '' }

/** The stays, one for each night; empty fields come from the step, and for a client from `model`, the parcours' roadbook. */
export function StaysCard({ model }: { model?: RoadbookSettings }) {
  const { t } = useTranslation('roadbook')
  const { parcours, openTab } = useSheet()
  const { value: stays } = useField<RoadbookStay[]>('stays')
  const nights = nightsOf(parcours.steps)
  return (
    <Card title={t('stays.title')} flush={nights.length > 0}>
      {nights.length === 0 ? (
        <EmptyState
          title={t('stays.none')}
          text={t('stays.noneText')}
          actions={<Button onClick={() => openTab('itinerary')}>{t('stays.toSteps')}</Button>}
        />
      ) : (
        <ol className={classes['stays']}>
          {nights.map((step) => {
            const index = stays.findIndex(({ step_id }) => step_id === step.id)
            return index === -1 ? null : (
              <Stay key={step.id} step={step} at={`stays.${index}`} day={nights.indexOf(step) + 1} model={model} />
            )
          })}
        </ol>
      )}
    </Card>
  )
}

function Stay({ step, at, day, model }: { step: Step; at: string; day: number; model: RoadbookSettings | undefined }) {
  const { t } = useTranslation('roadbook')
  const { value: stay, error } = useField<RoadbookStay>(at)
  const readOnly = useContext(ReadOnlyContext)
  const [open, setOpen] = useState(false)
  const unfolded = open || error !== undefined
  const usual = model?.stays.find(({ step_id }) => step_id === step.id)
  const name = [stay.name, usual?.name].find((one) => one !== undefined && one !== '') ?? textOf(step.title, t('stays.unnamed'))
  return (
    <li data-field={at}>
      <button type="button" className={classes['fold']} aria-expanded={unfolded} onClick={() => setOpen(!open)}>
        <span className={classes['night']}>{t('stays.night', { day })}</span>
        <span>{name}</span>
        <IconChevronDown size={16} stroke={1.75} aria-hidden />
      </button>
      {unfolded && (
        <div className={classes['stay']}>
          {usual !== undefined && <UsualNight stay={usual} />}
          {!readOnly && <FillNight at={at} />}
          <div className={sheet['twoColumns']}>
            <TextField
              name={`${at}.name`}
              label={t('stays.name')}
              placeholder={usual === undefined || usual.name === '' ? textOf(step.title, '') : usual.name}
            />
            <TextField name={`${at}.kind`} label={t('stays.kind')} placeholder={t('stays.kindExample')} />
            <LinesField name={`${at}.address`} label={t('stays.address')} />
            <TextField name={`${at}.phone`} label={t('stays.phone')} />
            <TextField name={`${at}.web`} label={t('stays.web')} />
            <HourField name={`${at}.check_in`} label={t('stays.checkIn')} />
            <HourField name={`${at}.check_out`} label={t('stays.checkOut')} />
            <TextField name={`${at}.code`} label={t('stays.code')} hint={t('stays.codeHint')} />
            <TextField name={`${at}.room`} label={t('stays.room')} max={90} />
          </div>
          <h4 className={classes['subtitle']}>{t('meals.title')}</h4>
          <ManyRows<RoadbookMeal>
            name={`${at}.meals`}
            blank={noMeal}
            add={t('meals.add')}
            removeOf={(place) => t('meals.remove', { place })}
          >
            {(meal) => (
              <div className={sheet['threeColumns']}>
                <TextField name={`${meal}.name`} label={t('meals.name')} placeholder={t('meals.example')} />
                <TextField name={`${meal}.hour`} label={t('meals.hour')} />
                <TextField name={`${meal}.price`} label={t('meals.price')} />
                <CheckField name={`${meal}.included`} label={t('meals.included')} />
              </div>
            )}
          </ManyRows>
          <TextAreaField name={`${at}.bike`} label={t('stays.bike')} />
          <TextAreaField name={`${at}.luggage`} label={t('stays.luggage')} />
          <TextAreaField name={`${at}.note`} label={t('stays.note')} />
          <PhotoField name={`${at}.media_id`} label={t('options.photo')} empty={t('options.noPhoto')} />
          {!readOnly && <NightVoucher step={step} at={at} model={model} />}
        </div>
      )}
    </li>
  )
}

/** The night in the roadbook of the parcours, shown while a client file is filled in. */
function UsualNight({ stay }: { stay: RoadbookStay }) {
  const { t } = useTranslation('roadbook')
  const { name, kind, address, phone, web, check_in: from, check_out: until, code, room, meals, bike, luggage, note } = stay
  const hours = [from, until].filter((hour) => hour !== null).join('–')
  const facts = [name, kind, ...address, phone, web, hours, code, room, ...meals.map((meal) => meal.name), bike, luggage, note].filter(
    (words) => words !== '',
  )
  return (
    <div className="small muted">
      <p>{t('clientFiles.usualNight')}</p>
      {facts.length > 0 && <p className={classes['usual']}>{facts.join(' · ')}</p>}
    </div>
  )
}
