import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useContext } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field, ReadOnly, type FieldProps, type Wiring } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import classes from './ColorField.module.css'
import { contrast, darkerFor, leastContrast, readable, textOn, visible } from '@/ui/theme/contrast'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

/** What a public page does with a colour: text is written on it, or the line of the route is drawn in it. */
export type ColorUse = 'fill' | 'line'

/** A colour `#RRGGBB`, by its code or from the browser's own chart; where its use is known, its contrast is shown while it is typed. */
export function ColorField({ name, use, ...field }: Pick<FieldProps, 'label' | 'required' | 'hint'> & { name: string; use?: ColorUse }) {
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
          {use !== undefined && good && <ContrastHint color={color} use={use} onTake={set} />}
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

/** The grounds of the line of a public page: its map and its profile (`crates/public/src/public_page/palette.rs`). */
const lineGrounds = ['#F3F1EA', '#FFFFFF']

function ContrastHint({ color, use, onTake }: { color: string; use: ColorUse; onTake: (color: string) => void }) {
  const { t } = useTranslation()
  const text = textOn(color)
  const ratio = use === 'line' ? leastContrast(color, lineGrounds) : (contrast(color, text) ?? 1)
  const least = use === 'line' ? visible : readable
  // Rounded down: 2.99 is not enough.
  const params = { ratio: format.number(Math.floor(ratio * 10) / 10, 1) }
  if (ratio >= least)
    return (
      <p className={classes['good']}>
        <span className={classes['verdict']}>
          <IconCheck size={16} stroke={2} aria-hidden />
          {use === 'line' ? t('form.contrast.line', params) : t(text === '#FFFFFF' ? 'form.contrast.white' : 'form.contrast.black', params)}
        </span>
      </p>
    )
  // A fill is always readable: its text is white or black, whichever is seen better. So this is a line.
  const better = darkerFor(color, lineGrounds, least)
  return (
    <div className={classes['bad']} role="status">
      <span className={classes['verdict']}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        {t('form.contrast.lineBad', params)}
      </span>
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
