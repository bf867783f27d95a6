import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useContext, useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Field, ReadOnly, type FieldProps, type Wiring } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import classes from './ColorField.module.css'
import { contrast, darkerFor, leastContrast, lighterFor, readable, textOn, visible } from '@/ui/theme/contrast'
import { faultText } from '@/records/problem-text'
import { useField } from './form-context'
import { ReadOnlyContext } from './read-only'

/** How a public page uses a colour: as a background of text, for the line of the trace, or as the ground of the page. */
export type ColorUse = 'fill' | 'line' | 'ground'

interface Props extends Pick<FieldProps, 'label' | 'required' | 'hint'> {
  name: string
  use?: ColorUse
  /** The primary colour, in which the links on the ground are. */
  primary?: string | null
}

/** A colour `#RRGGBB`, by its code or from the browser's colour picker; where its use is known, its contrast is shown while it is typed. */
export function ColorField({ name, use, primary = null, ...field }: Props) {
  const { value, set, error } = useField<string | null>(name)
  const [typing, setTyping] = useState(false)
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
    <Field {...field} error={error ?? (good || typing || color === '' ? undefined : faultText({ code: 'validation/color' }))} path={name}>
      {(wiring) => (
        <>
          <ColorInput wiring={wiring} value={color} onTyping={setTyping} onChange={(text) => set(text === '' ? null : text)} />
          {use !== undefined && good && <ContrastHint color={color} use={use} primary={primary} onTake={set} />}
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
  onTyping,
  onChange,
}: {
  wiring: Wiring
  value: string
  /** The name of the colour, where several colour inputs are side by side. */
  label?: string
  /** Whether its code is being typed: it is not whole yet. */
  onTyping?: (typing: boolean) => void
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
        onFocus={() => onTyping?.(true)}
        onBlur={() => onTyping?.(false)}
        placeholder="#14507A"
        maxLength={40}
        spellCheck={false}
        autoComplete="off"
      />
    </span>
  )
}

/** The code of a colour that was typed or pasted: `14507a`, and `rgb(20, 80, 122)` as design programs write it. */
function tidy(text: string): string {
  const bare = text.trim()
  const rgb = /^rgb\(\s*(\d{1,3})\s*[,\s]\s*(\d{1,3})\s*[,\s]\s*(\d{1,3})\s*\)$/i.exec(bare)
  const parts = rgb?.slice(1).map(Number)
  if (parts?.every((part) => part <= 255)) return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
  return (/^[0-9a-f]{6}$/i.test(bare) ? `#${bare}` : text).toUpperCase()
}

/** The background colours behind the line of a public page: map and profile (`crates/public/src/public_page/palette.rs`). */
const lineBackgrounds = ['#F3F1EA', '#FFFFFF']
/** The grounds of the page's own style, on which its links must be readable, and the colours of its text, secondary text and links
 * (the same file). */
const ownGrounds = ['#F5F6F3', '#FFFFFF', '#FDF1DC']
const [ink, softInk, ownAccent] = ['#17211C', '#4A564F', '#0B5F50'] as const

/** The colour of the links: the primary one, or that of text where it could not be read. */
function linkColor(primary: string | null): string {
  if (primary === null || !isColor(primary)) return ownAccent
  return leastContrast(primary, ownGrounds) >= readable ? primary : ink
}

interface Measure {
  ratio: number
  least: number
  /** The nearest tone that is good enough; a fill always is, since its text is white or black, whichever has more contrast. */
  better: () => string | null
}

/** The contrast that a colour has in its use, and the one it needs. */
function measure(color: string, use: ColorUse, primary: string | null): Measure {
  if (use === 'line')
    return { ratio: leastContrast(color, lineBackgrounds), least: visible, better: () => darkerFor(color, lineBackgrounds, visible) }
  if (use === 'fill') return { ratio: contrast(color, textOn(color)) ?? 1, least: readable, better: () => null }
  const texts = [softInk, linkColor(primary)]
  return { ratio: leastContrast(color, texts), least: readable, better: () => lighterFor(color, texts, readable) }
}

interface HintProps {
  color: string
  use: ColorUse
  primary: string | null
  onTake: (color: string) => void
}

function ContrastHint({ color, use, primary, onTake }: HintProps) {
  const { t } = useTranslation()
  const { ratio, least, better } = measure(color, use, primary)
  // Rounded down: 2.99 is not enough.
  const params = { ratio: format.number(Math.floor(ratio * 10) / 10, 1) }
  if (ratio >= least)
    return (
      <p className={classes['good']}>
        <span className={classes['verdict']}>
          <IconCheck size={16} stroke={2} aria-hidden />
          {use === 'fill'
            ? t(textOn(color) === '#FFFFFF' ? 'form.contrast.white' : 'form.contrast.black', params)
            : t(`form.contrast.${use}`, params)}
        </span>
      </p>
    )
  const tone = better()
  return (
    <div className={classes['bad']} role="status">
      <span className={classes['verdict']}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        {t(use === 'ground' ? 'form.contrast.groundBad' : 'form.contrast.lineBad', params)}
      </span>
      {tone !== null && (
        <Button
          size="small"
          look="soft"
          icon={<span className={classes['swatch']} style={{ background: tone }} aria-hidden="true" />}
          onClick={() => onTake(tone)}
        >
          {t('form.takeTone', { color: tone })}
        </Button>
      )}
    </div>
  )
}
