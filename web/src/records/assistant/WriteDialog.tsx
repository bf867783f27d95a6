import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fetchOk } from '@/api/http'
import type { AssistantTask, AssistantTone } from '@/api/types'
import { payload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { textFor, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextArea } from '@/ui/field/inputs'
import { NumberBox, unreadFault } from '@/ui/field/NumberBox'
import { languageName } from '@/records/form/fields'
import { useDirtyCount, useField, useForm } from '@/records/form/form-context'
import { format } from '@/ui/format'
import { faultText, problemText } from '@/records/problem-text'
import type { FormText } from '@/records/translation/texts'
import { assistantQuery, losesMarkup, needsText, readEvents, tasksOf, WritingError, type Wanted, type Written } from './assistant'
import classes from './assistant.module.css'

const tones = ['usual', 'family', 'sporty', 'sober'] as const

interface Props {
  kind: 'parcours' | 'media'
  id: number
  text: FormText
  language: string
  label: string
  onClose: () => void
}

/** A text that is written while one reads it. It goes into the form when the user accepts it, and is saved like any typing. */
export default function WriteDialog({ kind, id, text: { path, field, rich }, language, label, onClose }: Props) {
  const { t } = useTranslation('assistant')
  const form = useForm()
  const unsaved = useDirtyCount(form) > 0
  const { value, set } = useField<string | null | undefined>(`${path}.${language}`)
  const before = value ?? ''
  const there = useQuery(assistantQuery(kind, id)).data
  const model = there?.model ?? null
  // Another language to translate from, where one is written.
  const wordsIn = (code: string) => (form.get(`${path}.${code}`) as string | null | undefined) ?? ''
  const source = payload().content_languages.find((code) => code !== language && wordsIn(code).trim() !== '')
  const tasks = tasksOf(kind, field).filter((key) => key !== 'translate' || source !== undefined)
  const [task, setTask] = useState<AssistantTask>(tasks[0] ?? 'rewrite')
  const [length, setLength] = useState<number | null>(null)
  /** The typed length that is no whole number. */
  const [unread, setUnread] = useState<string | null>(null)
  const [tone, setTone] = useState<AssistantTone>('usual')
  const [instructions, setInstructions] = useState('')
  const [coming, setComing] = useState('')
  const [written, setWritten] = useState<Written | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const line = useRef<AbortController | null>(null)
  useEffect(() => () => line.current?.abort(), [])
  const worked = task === 'translate' ? wordsIn(source ?? language) : before
  const stop = () => {
    line.current?.abort()
    setBusy(false)
  }
  const write = async (template: boolean) => {
    line.current?.abort()
    const own = new AbortController()
    line.current = own
    setBusy(true)
    setFailure(null)
    setWritten(null)
    setComing('')
    try {
      const wanted: Wanted = {
        kind,
        id,
        task,
        field,
        language,
        tone,
        text: needsText(task) ? worked : '',
        instructions,
        length: task === 'shorten' ? length : null,
        template,
      }
      const reply = await fetchOk(new URL('/api/v1/assistant/texts', window.location.origin).href, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(wanted),
        signal: own.signal,
      })
      if (reply.body === null) throw new WritingError('assistant/cut', {})
      let ended = false
      await readEvents(reply.body, (name, data) => {
        if (name === 'delta') setComing((text) => text + (data as { text: string }).text)
        if (name === 'done') {
          ended = true
          setWritten(data as Written)
        }
        if (name === 'error') {
          const { code, params } = data as { code: string; params: Record<string, string> }
          throw new WritingError(code, params)
        }
      })
      if (!ended) throw new WritingError('assistant/cut', {})
    } catch (error) {
      if (!own.signal.aborted) setFailure(error)
    } finally {
      if (line.current === own) setBusy(false)
    }
  }
  const accept = () => {
    if (written === null) return
    set(written.text)
    toast({ text: t('taken'), action: { label: t('common:cancel'), run: () => set(before) } })
    onClose()
  }
  const speaks = there?.template_languages.includes(language) ?? true
  const known = there?.templates.includes(task) ?? false
  const templated = known && speaks
  const reason = (() => {
    if (needsText(task) && worked.trim() === '') return t('needsText')
    if (model !== null && task === 'shorten' && unread !== null) return unreadFault(unread)
    if (model !== null || templated || there === undefined) return undefined
    return t(known ? 'errors:assistant/other-language' : 'errors:assistant/not-set-up')
  })()
  const by = (() => {
    if (model === null) return t('byTemplate')
    return there?.tokens_left == null
      ? t('byModel', { model })
      : t('byModelOf', { model, count: there.tokens_left, tokens: format.number(there.tokens_left) })
  })()
  const lengthFault = failure instanceof ProblemError ? failure.faults.find((fault) => fault.field === 'length') : undefined
  const chooseTask = (next: string | null) => {
    const chosen = tasks.find((key) => key === next)
    if (chosen !== undefined) setTask(chosen)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      size="large"
      title={t('button', { field: label })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" disabledReason={written === null ? t('nothingYet') : undefined} onClick={accept}>
            {t('take')}
          </Button>
        </>
      }
    >
      <div className={classes['dialog']}>
        <div className={classes['asked']}>
          <Field label={t('task')}>
            {(wiring) => (
              <SelectInput
                {...wiring}
                value={task}
                onChange={chooseTask}
                choices={tasks.map((key) => ({ value: key, label: t(`tasks.${key}`) }))}
              />
            )}
          </Field>
          {model !== null && (
            <Field label={t('tone')}>
              {(wiring) => (
                <SelectInput
                  {...wiring}
                  value={tone}
                  onChange={(next) => setTone(tones.find((key) => key === next) ?? tone)}
                  choices={tones.map((key) => ({ value: key, label: t(`tones.${key}`) }))}
                />
              )}
            </Field>
          )}
          {model !== null && task === 'shorten' && (
            <NumberBox
              label={t('length')}
              hint={t('lengthHint', { count: worked.replace(/<[^>]+>/g, '').length })}
              error={lengthFault === undefined ? undefined : faultText(lengthFault)}
              value={length}
              unread={unread}
              onUnreadable={setUnread}
              onChange={setLength}
            />
          )}
        </div>
        {model !== null && (
          <Field label={t('instructions')} hint={t('instructionsHint')}>
            {(wiring) => <TextArea {...wiring} rows={2} value={instructions} onChange={setInstructions} />}
          </Field>
        )}
        <span className="row wrap">
          {busy ? (
            <Button onClick={stop}>{t('stop')}</Button>
          ) : (
            <Button look="soft" disabledReason={reason} reasonShown onClick={() => void write(model === null)}>
              {t(written === null || model === null ? 'write' : 'again')}
            </Button>
          )}
          {model !== null && templated && !busy && (
            <Button look="ghost" onClick={() => void write(true)}>
              {t('template')}
            </Button>
          )}
          <span className="small muted">{by}</span>
        </span>
        {unsaved && !needsText(task) && <p className="small muted">{t('unsaved')}</p>}
        {failure !== null && lengthFault === undefined && (
          <Banner tone="danger" live="alert">
            {t('failed')}{' '}
            {failure instanceof WritingError ? (textFor(`errors:${failure.code}`, failure.params) ?? failure.code) : problemText(failure)}
          </Banner>
        )}
        {task === 'falc' && <Banner>{t('falc')}</Banner>}
        {rich && losesMarkup(before) && <Banner>{t('losesMarkup')}</Banner>}
        <div className={classes['columns']}>
          <section>
            <h3>{task === 'translate' && source !== undefined ? t('source', { language: languageName(source) }) : t('before')}</h3>
            {worked.trim() === '' ? (
              <p className="muted">{t('empty')}</p>
            ) : (
              <Words rich={rich} text={worked} language={task === 'translate' ? (source ?? language) : language} />
            )}
          </section>
          <section data-after aria-busy={busy}>
            <h3>{t('after')}</h3>
            {written === null ? (
              <p className={classes['words']} lang={language}>
                {coming.replace(/<[^>]+>/g, ' ')}
              </p>
            ) : (
              <Words rich={rich} text={written.text} language={language} />
            )}
            <p className="visually-hidden" role="status">
              {busy ? t('writing') : written === null ? '' : t('written')}
            </p>
            {written !== null && (
              <p className="small muted">{written.by === 'jalon' ? t('ownSentences') : t('generated', { model: written.by })}</p>
            )}
            {written?.is_cut === true && <p className="small muted">{t('isCut')}</p>}
          </section>
        </div>
      </div>
    </Dialog>
  )
}

/** What the server made safe. */
function Words({ rich, text, language }: { rich: boolean; text: string; language: string }) {
  return rich ? (
    <div lang={language} className={classes['words']} dangerouslySetInnerHTML={{ __html: text }} />
  ) : (
    <p lang={language} className={classes['words']}>
      {text}
    </p>
  )
}
