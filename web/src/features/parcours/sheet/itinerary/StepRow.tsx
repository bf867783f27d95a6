import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { memo, useState, type KeyboardEvent } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import type { Step, StepKind } from '@/api/types'
import { IconButton } from '@/ui/button/Button'
import { FieldError } from '@/ui/field/Field'
import { SelectInput, TextArea } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { format } from '@/ui/format'
import type { MoveRefusal } from '../step-order'
import type { StepValue } from '../values'
import { StepMore } from './StepMore'
import { ToNext } from './ToNext'
import classes from './steps.module.css'

export const stepKinds: readonly StepKind[] = [
  'waypoint',
  'step',
  'optional_step',
  'night',
  'nights',
  'step_night',
  'departure',
  'arrival',
  'favourite',
  'advice',
]

/** What published pages and roadbooks call an end without a name, in their own languages. */
const endNames: Partial<Record<string, Partial<Record<StepKind, string>>>> = {
  fr: { departure: 'Départ', arrival: 'Arrivée' },
  en: { departure: 'Start', arrival: 'Finish' },
}

interface Props {
  index: number
  /** On its marker. */
  label: string
  /** The name for screen readers. */
  name: string
  step: StepValue
  last: boolean
  /** The values computed by the server, while they are still valid. */
  known: Step | undefined
  languages: readonly string[]
  /** Why it cannot go up or down. */
  noUp: MoveRefusal | undefined
  noDown: MoveRefusal | undefined
  onMove: (from: number, to: number) => void
}

/** One step: its kind, its name in each language, the distance and time to the next one; the rest folds out below. */
export const StepRow = memo(function StepRow({ index, label, name, step, last, known, languages, noUp, noDown, onMove }: Props) {
  const { t } = useTranslation('sheet')
  const { t: tt } = useTranslation('trace')
  const [open, setOpen] = useState(false)
  const at = `steps.${index}`
  const kind = useField<StepKind>(`${at}.kind`)
  const whole = useField(at)
  const isEnd = step.kind === 'departure' || step.kind === 'arrival'
  const unfolded = open || whole.error !== undefined
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(index, event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
  return (
    <>
      <tr className={classes['row']} onKeyDown={onKey} data-field={at}>
        <td>
          <span className={classes['disc']} data-kind={step.kind} data-plain={label === '' || undefined}>
            {label}
          </span>
        </td>
        <td data-label={t('steps.kind')} data-field={`${at}.kind`}>
          <SelectInput
            aria-label={t('steps.kindOf', { name })}
            aria-invalid={kind.error === undefined ? undefined : true}
            value={kind.value}
            onChange={(value) => kind.set(stepKinds.find((known_) => known_ === value) ?? kind.value)}
            choices={stepKinds.map((value) => ({ value, label: tt(`kind.${value}`) }))}
          />
        </td>
        {languages.map((code) => (
          <td key={code} data-label={`${t('steps.name')} (${code})`}>
            <StepName
              at={at}
              code={code}
              placeholder={endNames[code]?.[step.kind] ?? (code === currentLocale() ? tt(`kind.${step.kind}`) : '')}
              label={t('steps.nameOf', { place: index + 1, language: languageName(code) })}
            />
          </td>
        ))}
        <td className={`num ${classes['right'] ?? ''}`} data-label={t('steps.at')}>
          {typeof step.at_m === 'number' ? format.km(step.at_m) : '–'}
          {typeof step.beside_m === 'number' && <small>{tt('steps.beside', { distance: format.distance(step.beside_m) })}</small>}
        </td>
        <td data-label={t('steps.toNext')}>{last ? '' : <ToNext at={at} name={name} known={known} />}</td>
        <td>
          <span className={classes['buttons']}>
            {!isEnd && (
              <>
                <IconButton
                  size="small"
                  look="ghost"
                  label={t('steps.up', { name })}
                  aria-keyshortcuts="Alt+ArrowUp"
                  disabledReason={noUp === undefined ? undefined : t(`steps.cannotMove.${noUp}`)}
                  icon={<IconArrowUp {...icon} />}
                  onClick={() => onMove(index, index - 1)}
                />
                <IconButton
                  size="small"
                  look="ghost"
                  label={t('steps.down', { name })}
                  aria-keyshortcuts="Alt+ArrowDown"
                  disabledReason={noDown === undefined ? undefined : t(`steps.cannotMove.${noDown}`)}
                  icon={<IconArrowDown {...icon} />}
                  onClick={() => onMove(index, index + 1)}
                />
              </>
            )}
            <IconButton
              size="small"
              look="ghost"
              label={t(unfolded ? 'steps.fold' : 'steps.unfold', { name })}
              aria-expanded={unfolded}
              className={unfolded ? (classes['turned'] ?? '') : ''}
              icon={<IconChevronDown {...icon} />}
              onClick={() => setOpen(!open)}
            />
          </span>
        </td>
      </tr>
      {unfolded && (
        <tr className={classes['more']}>
          <td colSpan={6 + languages.length - 1}>
            <StepMore at={at} index={index} kind={step.kind} last={last} known={known} languages={languages} />
            <FieldError error={whole.error} />
          </td>
        </tr>
      )}
    </>
  )
})

function StepName({ at, code, label, placeholder }: { at: string; code: string; label: string; placeholder: string }) {
  const { value, set, error } = useField<string | undefined>(`${at}.title.${code}`)
  return (
    <span data-field={`${at}.title.${code}`}>
      <TextArea
        rows={1}
        aria-label={label}
        aria-invalid={error === undefined ? undefined : true}
        lang={code}
        spellCheck
        autoComplete="off"
        placeholder={placeholder}
        value={value ?? ''}
        // One line that wraps: a long name is read whole, and holds no line break.
        onChange={(text) => set(text.replace(/\n+/g, ' '))}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </span>
  )
}
