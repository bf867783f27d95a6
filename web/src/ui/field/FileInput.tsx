import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import type { Wiring } from './Field'
import classes from './FileInput.module.css'

interface FileInputProps extends Partial<Wiring> {
  /** The file that is chosen; without one the input is emptied. */
  value: File | null
  onChange: (file: File | null) => void
  accept: string
  autoFocus?: boolean
}

/**
 * One file, chosen or dropped. The browser's input covers it, transparent, and has the focus and the label: a browser writes the words of
 * such an input in its own language, which may be another than the page's.
 */
export function FileInput({ value, onChange, autoFocus = false, ...rest }: FileInputProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (value === null && input.current) input.current.value = ''
  }, [value])
  return (
    <span className={classes['file']}>
      <input
        {...rest}
        ref={input}
        type="file"
        // Empty: Chrome shows no tooltip of its own over it, which would name the file, or the lack of one, in the browser's language.
        title=""
        autoFocus={autoFocus}
        // Emptied first: the same file, corrected meanwhile, is chosen again, which a browser does not report otherwise.
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
        }}
        onChange={({ target }) => onChange(target.files?.[0] ?? null)}
      />
      <span className={classes['choose']} aria-hidden>
        <IconUpload size={18} stroke={1.75} />
        {t('file.choose')}
      </span>
      <span className={classes['name']} data-chosen={value !== null || undefined}>
        {value === null ? t('file.none') : value.name}
      </span>
    </span>
  )
}
