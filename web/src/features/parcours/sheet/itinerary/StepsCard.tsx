import { useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Count } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { FieldError } from '@/ui/field/Field'
import { LanguageSwitch, useShownLanguages } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format, textOf } from '@/ui/format'
import { useSheet } from '../context'
import { moved } from '@/ui/list/order'
import { useLatest } from '@/ui/useLatest'
import { stepLabels } from '@/records/parcours/step-labels'
import { moveRefusal } from '../step-order'
import type { StepValue } from '../values'
import { StepRow } from './StepRow'
import { StepText } from './StepText'
import classes from './steps.module.css'

/** The steps in walking order: kinds, names, distance and time to the next one. Their places are edited in the trace editor. */
export function StepsCard() {
  const { t } = useTranslation('sheet')
  const { t: tt } = useTranslation('trace')
  const { parcours } = useSheet()
  const readOnly = useContext(ReadOnlyContext)
  const { value: steps, set, error } = useField<StepValue[]>('steps')
  const [announcement, setAnnouncement] = useState({ words: '', turn: 0 })
  const announce = (words: string) => setAnnouncement(({ turn }) => ({ words, turn: turn + 1 }))
  const languages = useShownLanguages()
  const labels = stepLabels(steps)
  const onLine = parcours.trace !== null
  const refusal = (from: number, to: number) => moveRefusal(steps, from, to, onLine)
  const isOrderFree = steps.some((_, index) => refusal(index, index + 1) === undefined)
  const nameOf = (step: StepValue) => textOf(step.title, tt(`kind.${step.kind}`))
  const move = (from: number, to: number) => {
    const step = steps[from]
    if (step === undefined || steps[to] === undefined) return
    const why = refusal(from, to)
    if (why !== undefined) return announce(t(`steps.cannotMove.${why}`))
    set(moved(steps, from, to))
    announce(t('steps.moved', { name: nameOf(step), place: to + 1, count: steps.length }))
  }
  // The rows always get the same function: a keystroke in one renders no other.
  const onMove = useLatest(move)
  return (
    <Card
      title={
        <>
          {t('steps.title')} <Count>{steps.length}</Count>
        </>
      }
      aside={!readOnly && <LanguageSwitch />}
      flush
    >
      <p className="visually-hidden" role="status">
        {announcement.words}
        {/* The same words twice in a row must be announced twice: a space makes them another text. */}
        {announcement.turn % 2 === 0 ? '' : format.nbsp}
      </p>
      {steps.length === 0 ? (
        <p className={classes['none']}>{t('steps.none')}</p>
      ) : (
        <div data-field="steps">
          {!readOnly && <p className={classes['hint']}>{t(onLine && !isOrderFree ? 'steps.hintOnLine' : 'steps.hint')}</p>}
          <table className={classes['table']} data-languages={languages.length}>
            <caption className="visually-hidden">{t('steps.caption')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('steps.number')}</th>
                <th scope="col">{t('steps.kind')}</th>
                {languages.map((code) => (
                  <th key={code} scope="col">
                    {t('steps.name')} <span className={classes['code']}>{code}</span>
                  </th>
                ))}
                <th scope="col" className={classes['right']}>
                  {t('steps.at')}
                </th>
                <th scope="col">{t('steps.toNext')}</th>
                <th scope="col">
                  <span className="visually-hidden">{t('steps.order')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {steps.map((step, index) =>
                readOnly ? (
                  <StepText
                    key={step.id}
                    step={step}
                    label={labels[index] ?? ''}
                    known={parcours.steps.find(({ id }) => id === step.id)}
                    languages={languages}
                  />
                ) : (
                  <StepRow
                    key={step.id}
                    index={index}
                    label={labels[index] ?? ''}
                    name={nameOf(step)}
                    step={step}
                    last={index === steps.length - 1}
                    // What the server worked out holds only while the order is the one it knows.
                    known={
                      parcours.steps[index]?.id === step.id && parcours.steps[index + 1]?.id === steps[index + 1]?.id
                        ? parcours.steps[index]
                        : undefined
                    }
                    languages={languages}
                    onMove={onMove}
                    noUp={refusal(index, index - 1)}
                    noDown={refusal(index, index + 1)}
                  />
                ),
              )}
            </tbody>
          </table>
          <FieldError error={error} />
        </div>
      )}
    </Card>
  )
}
