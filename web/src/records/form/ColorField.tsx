import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useContext } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field, ReadOnly, type FieldProps, type Wiring } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import classes from './ColorField.module.css'
import { contrast, darkerForWhite, readable } from '@/ui/theme/contrast'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

/** A colour `#RRGGBB`, by its code or from the browser's own chart; where white text is on it, its contrast is shown while it is typed. */
export function ColorField({
  name,
  underText = false,
  ...field
}: Pick<FieldProps, 'label' | 'required' | 'hint'> & { name: string; underText?: boolean }) {
  const { value, set, error } = useField<string | null>(name)
  const color = value ?? ''
  const good = isColor(color)
  if (useContext(ReadOnlyContext)) {
    return (
      <ReadOnly label={field.label}>
        {good && <span className={classes['swatch']} style={{ background: color }} aria-hidden="true" />} {color}
      </ReadOnly>
    )
  }
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => (
        <>
          <ColorInput wiring={wiring} value={color} onChange={(text) => set(text === '' ? null : text)} />
          {underText && good && <ContrastHint color={color} onTake={set} />}
        </>
      )}
    </Field>
  )
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** A colour by its code or from the browser's own chart, outside a form. */
export function ColorInput({
  wiring,
  value,
  label,
  onChange,
}: {
  wiring: Wiring
  value: string
  /** Which color the chart is for, where several stand together. */
  label?: string
  onChange: (color: string) => void
}) {
  const { t } = useTranslation()
  const good = isColor(value)
  return (
    <span className={classes['pair']}>
      <input
        type="color"
        className={classes['chart']}
        aria-label={label === undefined ? t('form.colorChart') : format.labelled(label, t('form.colorChart'))}
        value={good ? value.toLowerCase() : '#000000'}
        data-none={!good || undefined}
        onChange={(event) => onChange(event.target.value.toUpperCase())}
      />
      <TextInput
        {...wiring}
        value={value}
        onChange={(text) => onChange(tidy(text))}
        placeholder="#14507A"
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
      />
    </span>
  )
}

const tidy = (text: string) => (/^[0-9a-f]{6}$/i.test(text) ? `#${text}` : text).toUpperCase()

function ContrastHint({ color, onTake }: { color: string; onTake: (color: string) => void }) {
  const { t } = useTranslation()
  const ratio = contrast(color, '#FFFFFF') ?? 1
  // Rounded down: 4.49 is not enough.
  const words = format.number(Math.floor(ratio * 10) / 10, 1)
  if (ratio >= readable)
    return (
      <p className={classes['good']}>
        <IconCheck size={16} stroke={2} aria-hidden />
        {t('form.contrastGood', { ratio: words })}
      </p>
    )
  const better = darkerForWhite(color)
  return (
    <div className={classes['bad']} role="status">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <span>{t('form.contrastBad', { ratio: words })}</span>
      {better !== null && (
        <Button
          size="small"
          look="soft"
          icon={<span className={classes['swatch']} style={{ background: better }} aria-hidden="true" />}
          onClick={() => onTake(better)}
        >
          {t('form.takeTone', { color: better })}
        </Button>
      )}
    </div>
  )
}
