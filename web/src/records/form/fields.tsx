import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import type { Text } from '@/api/types'
import { currentLocale } from '@/i18n'
import { withUnit } from '@/i18n/typography'
import { Field, ReadOnly, type FieldProps } from '@/ui/field/Field'
import { Segments, TextArea, TextInput } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { useField } from './form-context'
import { format } from '@/ui/format'
import { usePhone } from '@/ui/usePhone'
import { FieldTranslation } from '@/records/translation/lazy'
import { TextsContext } from '@/records/translation/texts'
import { ReadOnlyContext } from './read-only'
import { RichText } from '@/ui/rich-text/RichText'
import classes from './fields.module.css'

type Common = Pick<FieldProps, 'label' | 'required' | 'hint' | 'tag' | 'aside'> & {
  /** The path in the form's values. */
  name: string
  /** May be looked at, not changed. */
  readOnly?: boolean
}

const useReadOnly = (own: boolean | undefined) => useContext(ReadOnlyContext) || own === true

/** One line. */
export function TextField({
  name,
  readOnly,
  type,
  max,
  placeholder,
  inputMode,
  autoComplete = 'off',
  ...field
}: Common & {
  type?: 'text' | 'url' | 'email' | 'tel'
  max?: number
  placeholder?: string
  inputMode?: 'url' | 'email' | 'text' | 'tel'
  autoComplete?: string
}) {
  const { value, set, error } = useField<string | null>(name)
  if (useReadOnly(readOnly))
    return (
      <ReadOnly label={field.label} tag={field.tag}>
        {value}
      </ReadOnly>
    )
  return (
    <Field {...field} error={error} path={name} count={max === undefined ? undefined : { now: (value ?? '').length, max }}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type={type ?? 'text'}
          value={value ?? ''}
          onChange={set}
          placeholder={placeholder}
          inputMode={inputMode}
          autoComplete={autoComplete}
        />
      )}
    </Field>
  )
}

/** Several lines in one language. */
export function TextAreaField({ name, readOnly, ...field }: Common) {
  const { value, set, error } = useField<string | null | undefined>(name)
  if (useReadOnly(readOnly))
    return (
      <ReadOnly label={field.label} tag={field.tag}>
        {value}
      </ReadOnly>
    )
  return (
    <Field {...field} error={error} path={name}>
      {(wiring) => <TextArea {...wiring} rows={3} value={value ?? ''} onChange={set} />}
    </Field>
  )
}

/** A number with its unit; a text that is no number, or no whole one, is reported at once. */
export function NumberField({
  name,
  readOnly,
  unit,
  decimals = 0,
  scale = 1,
  ...field
}: Common & { unit?: string; decimals?: number; /** Stored value = shown value × scale (cents: 100). */ scale?: number }) {
  const { value, set, error, unread, setUnread } = useField<number | null>(name)
  const shown = value === null || value === undefined ? null : value / scale
  if (useReadOnly(readOnly))
    return (
      <ReadOnly label={field.label} tag={field.tag}>
        {shown === null
          ? null
          : unit === undefined
            ? format.number(shown, decimals)
            : withUnit(format.number(shown, Number.isInteger(shown) ? 0 : decimals), unit)}
      </ReadOnly>
    )
  return (
    <NumberBox
      {...field}
      error={error}
      path={name}
      value={shown}
      decimals={decimals}
      unit={unit}
      unread={unread ?? null}
      onUnreadable={setUnread}
      onChange={(next) => set(next === null ? null : Math.round(next * scale * 1e6) / 1e6)}
    />
  )
}

/** Which languages are in sight: all side by side, or one. On a phone always one. */
const LanguagesShown = createContext<{ shown: string; show: (shown: string) => void } | null>(null)

/** Shares one choice of language between the translated fields below. */
export function LanguagesProvider({ children }: { children: ReactNode }) {
  const [shown, show] = useState('all')
  return <LanguagesShown value={{ shown, show }}>{children}</LanguagesShown>
}

/** Bring a language in sight where one is shown at a time: a link to an English text on a phone. */
export function useShowLanguage(): (code: string) => void {
  const shared = useContext(LanguagesShown)
  const phone = usePhone()
  return (code) => {
    if (phone || (shared !== null && shared.shown !== 'all')) shared?.show(code)
  }
}

/** The languages in sight: all, or the one chosen; on a phone one. */
export function useShownLanguages(): readonly string[] {
  const shared = useContext(LanguagesShown)
  const phone = usePhone()
  const languages = payload().content_languages
  const shown = shared?.shown ?? 'all'
  // The same array each time, so that what is memoised by it is not rendered again.
  return useMemo(() => (shown !== 'all' ? [shown] : phone ? languages.slice(0, 1) : languages), [shown, phone, languages])
}

/** « fr + en · fr · en »; on a phone « français · anglais ». */
export function LanguageSwitch() {
  const { t } = useTranslation()
  const shared = useContext(LanguagesShown)
  const languages = payload().content_languages
  const phone = usePhone()
  if (shared === null || languages.length < 2) return null
  if (phone) {
    const shown = shared.shown === 'all' ? (languages[0] ?? '') : shared.shown
    return (
      <Segments
        label={t('form.languages')}
        value={shown}
        onChange={shared.show}
        choices={languages.map((code) => ({ value: code, label: ownName(code) }))}
      />
    )
  }
  return (
    <Segments
      label={t('form.languages')}
      value={shared.shown}
      onChange={shared.show}
      choices={[{ value: 'all', label: languages.join(' + ') }, ...languages.map((code) => ({ value: code, label: code }))]}
    />
  )
}

/** The name of a language in the language of the screen: « anglais ». */
export const languageName = (code: string): string => new Intl.DisplayNames([currentLocale()], { type: 'language' }).of(code) ?? code

/** The name of a language in itself: « Français », « English ». */
const ownName = (code: string): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

export interface TranslatedFieldProps extends Common {
  kind?: 'line' | 'lines' | 'rich'
  max?: number
  /** Which languages must be written; default: the first when `required`. */
  requiredIn?: readonly string[]
}

/** A text in each content language, side by side, source left; on a phone one at a time. */
export function TranslatedField({ name, kind = 'line', max, required = false, requiredIn, readOnly, ...field }: TranslatedFieldProps) {
  const shared = useContext(LanguagesShown)
  const languages = payload().content_languages
  const shown = shared?.shown ?? 'all'
  return (
    <div className={classes['translated']} data-shown={shown} data-field={name}>
      {languages.map((code, index) => (
        <div
          key={code}
          className={classes['language']}
          data-language={code}
          data-current={shown === code || (shown === 'all' && index === 0) || undefined}
          lang={code}
        >
          <LanguagePart
            {...field}
            name={`${name}.${code}`}
            code={code}
            kind={kind}
            {...(max === undefined ? {} : { max })}
            required={requiredIn?.includes(code) ?? (required && index === 0)}
            readOnly={readOnly ?? false}
          />
        </div>
      ))}
    </div>
  )
}

function LanguagePart({
  name,
  code,
  kind,
  max,
  readOnly,
  label,
  required,
  ...field
}: Common & { code: string; kind: 'line' | 'lines' | 'rich'; max?: number }) {
  const { value, set, error } = useField<Text[string]>(name)
  const text = value ?? ''
  const translated = useContext(TextsContext) !== null
  const words = (
    <>
      {label} <span className={classes['code']}>{code}</span>
      <span className="visually-hidden"> ({languageName(code)})</span>
    </>
  )
  if (useReadOnly(readOnly))
    return (
      <ReadOnly label={words}>
        {kind === 'rich' && text !== '' ? <span className={classes['rich']} dangerouslySetInnerHTML={{ __html: text }} /> : text}
      </ReadOnly>
    )
  return (
    <Field
      {...field}
      {...(translated ? { aside: <FieldTranslation name={name.slice(0, -code.length - 1)} code={code} /> } : {})}
      label={words}
      required={required}
      error={error}
      path={name}
      count={max === undefined ? undefined : { now: text.length, max }}
    >
      {(wiring) => {
        if (kind === 'rich')
          return (
            <RichText
              wiring={wiring}
              label={`${typeof label === 'string' ? label : ''} (${languageName(code)})`}
              value={text}
              onChange={set}
            />
          )
        const Input = kind === 'line' ? TextInput : TextArea
        return <Input {...wiring} lang={code} spellCheck value={text} onChange={set} autoComplete="off" />
      }}
    </Field>
  )
}
