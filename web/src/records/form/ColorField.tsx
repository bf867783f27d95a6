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

/** How a public page uses a colour: as a background of text, or for the line of the trace. */
export type ColorUse = 'fill' | 'line'

/** A colour `#RRGGBB`, by its code or from the browser's colour picker; where its use is known, its contrast is shown while it is typed. */
export function ColorField({ name, use, ...field }: Pick<FieldProps, 'label' | 'required' | 'hint'> & { name: string; use?: ColorUse }) {
  const { value, set, error } = useField<string | null>(name)
  const color = value ?? ''
  const good = isColor(color)
  if (useContext(ReadOnlyContext)) {
    return (
      <ReadOnly label={field.label}>
        {color === '' ? null : (
          <span className="nowrap">
            {good && <span className={classes['swatch']} style={{ background: color }} aria-hidden="true" />} {color}
          </span>
        )}
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

/** A colour, by its code or from the browser's colour picker, outside a form. */
export function ColorInput({
  wiring,
  value,
  label,
  onChange,
}: {
  wiring: Wiring
  value: string
  /** The name of the colour, where several colour inputs are side by side. */
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

/** The background colours behind the line of a public page: map and profile (`crates/public/src/public_page/palette.rs`). */
const lineBackgrounds = ['#F3F1EA', '#FFFFFF']

function ContrastHint({ color, use, onTake }: { color: string; use: ColorUse; onTake: (color: string) => void }) {
  const { t } = useTranslation()
  const text = textOn(color)
  const ratio = use === 'line' ? leastContrast(color, lineBackgrounds) : (contrast(color, text) ?? 1)
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
  // This is a line: a fill is always readable, since its text is white or black, whichever has more contrast.
  const better = darkerFor(color, lineBackgrounds, least)
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
