import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import type { ProposedText } from '@/api/types'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { Checkbox, SelectInput } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { useForm } from '@/records/form/form-context'
import { problemText } from '@/records/problem-text'
import { propose, statesQuery, type FormText, type TextsOf } from './texts'
import classes from './translation.module.css'

interface Props {
  of: TextsOf
  texts: readonly FormText[]
  target: string
  onClose: () => void
}

/** The original texts beside their translations. The user accepts each one or not; nothing is saved automatically. */
export default function TranslateDialog({ of, texts, target: first, onClose }: Props) {
  const { t } = useTranslation('translation')
  const form = useForm()
  const languages = payload().content_languages
  const [target, setTarget] = useState(first)
  const [source, setSource] = useState(languages.find((code) => code !== first) ?? 'fr')
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const states = useQuery(statesQuery(of)).data
  const words = (path: string, language: string) => (form.get(`${path}.${language}`) as string | null | undefined) ?? ''
  const stateOf = ({ field }: FormText) => states?.items.find((item) => item.field === field && item.language === target)?.state
  // For a whole sheet, translations that are up to date are not requested again.
  const toTranslate = texts.filter(
    (text) =>
      words(text.path, source).trim() !== '' &&
      (texts.length === 1 || words(text.path, target).trim() === '' || stateOf(text) !== 'machine'),
  )
  const byHand = (text: FormText) => words(text.path, target).trim() !== '' && stateOf(text) === undefined
  const translate = useMutation({
    mutationFn: (confirmed: boolean) =>
      propose(of, source, target, confirmed, Object.fromEntries(toTranslate.map((text) => [text.field, words(text.path, source)]))),
    onSuccess: ({ fields }) =>
      setTaken(
        new Set(
          toTranslate
            .filter(
              (text) => texts.length === 1 || (!byHand(text) && fields.find(({ field }) => field === text.field)?.unexpected !== true),
            )
            .map(({ path }) => path),
        ),
      ),
  })
  const { mutate } = translate
  const nothing = toTranslate.length === 0
  const begun = useRef('')
  useEffect(() => {
    // Once for each pair: the service is paid by the character.
    const pair = `${source} ${target}`
    if (nothing || begun.current === pair) return
    begun.current = pair
    mutate(false)
  }, [source, target, nothing, mutate])
  const answer = translate.data
  const proposedOf = (text: FormText) => answer?.fields.find(({ field }) => field === text.field)
  const accept = () => {
    const chosen = toTranslate.filter(({ path }) => taken.has(path))
    chosen.forEach((text) => form.set(`${text.path}.${target}`, proposedOf(text)?.words ?? ''))
    toast({ text: t('done', { count: chosen.length }) })
    onClose()
  }
  const toggle = (path: string) =>
    setTaken((before) => new Set(before.has(path) ? [...before].filter((one) => one !== path) : [...before, path]))
  const choices = (other: string) => languages.filter((code) => code !== other).map((code) => ({ value: code, label: languageName(code) }))
  return (
    <Dialog
      opened
      onClose={onClose}
      size="large"
      title={
        texts.length === 1
          ? t('fieldButton', { field: of.labelOf(`${texts[0]?.path ?? ''}.${target}`) })
          : t('sheetTitle', { language: languageName(target) })
      }
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" disabledReason={answer === undefined || taken.size === 0 ? t('takeOne') : undefined} onClick={accept}>
            {t('accept', { count: taken.size })}
          </Button>
        </>
      }
    >
      <div className={classes['dialog']}>
        {languages.length > 2 && (
          <div className={classes['pair']}>
            <Field label={t('from')}>
              {(wiring) => (
                <SelectInput {...wiring} value={source} onChange={(code) => code !== null && setSource(code)} choices={choices(target)} />
              )}
            </Field>
            <Field label={t('into')}>
              {(wiring) => (
                <SelectInput {...wiring} value={target} onChange={(code) => code !== null && setTarget(code)} choices={choices(source)} />
              )}
            </Field>
          </div>
        )}
        {nothing && <Banner>{t(texts.length === 1 ? 'nothingYet' : 'allDone', { language: languageName(source) })}</Banner>}
        {translate.isPending && (
          <div role="status">
            <p className="small muted">{t('working')}</p>
            <Skeleton height={120} />
          </div>
        )}
        {translate.error && (
          <Banner
            tone="danger"
            live="alert"
            actions={
              <Button size="small" onClick={() => mutate(false)}>
                {t('again')}
              </Button>
            }
          >
            {problemText(translate.error)}
          </Banner>
        )}
        {answer !== undefined && !translate.isPending && (
          <>
            {answer.unexpected && answer.detected !== null ? (
              <Banner
                tone="warn"
                live="alert"
                actions={
                  <Button size="small" onClick={() => mutate(true)}>
                    {t('sayIt', { language: languageName(source) })}
                  </Button>
                }
              >
                {t('unexpected', { found: languageName(answer.detected), expected: languageName(source) })}
              </Banner>
            ) : (
              <p className="small muted" role="status">
                {answer.detected === null
                  ? t('said', { language: languageName(source) })
                  : t('detected', { language: languageName(answer.detected) })}
                {' · '}
                {t('cost', { count: answer.sent })}
              </p>
            )}
            <ul className={classes['texts']}>
              {toTranslate.map((text) => (
                <Proposal
                  key={text.path}
                  label={of.labelOf(`${text.path}.${target}`)}
                  rich={text.rich}
                  source={words(text.path, source)}
                  now={words(text.path, target)}
                  byHand={byHand(text)}
                  languages={[source, target]}
                  proposed={proposedOf(text)}
                  taken={taken.has(text.path)}
                  onToggle={() => toggle(text.path)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}

function Words({ rich, text, language }: { rich: boolean; text: string; language: string }) {
  return rich ? (
    <div lang={language} className={classes['words']} dangerouslySetInnerHTML={{ __html: text }} />
  ) : (
    <p lang={language} className={classes['words']}>
      {text}
    </p>
  )
}

function Proposal({
  label,
  rich,
  source,
  now,
  byHand,
  languages,
  proposed,
  taken,
  onToggle,
}: {
  label: string
  rich: boolean
  source: string
  now: string
  byHand: boolean
  languages: readonly [string, string]
  proposed: ProposedText | undefined
  taken: boolean
  onToggle: () => void
}) {
  const { t } = useTranslation('translation')
  const [from, into] = languages
  if (proposed === undefined) return null
  return (
    <li className={classes['text']}>
      <div className={classes['head']}>
        <Checkbox checked={taken} onChange={onToggle} label={t('take', { field: label })} />
        {byHand && <Badge tone="lock">{t('byHand')}</Badge>}
        {proposed.unexpected && proposed.detected !== null && (
          <Badge tone="warn">{t('otherLanguage', { language: languageName(proposed.detected) })}</Badge>
        )}
        {proposed.lost && <Badge tone="warn">{t('lost')}</Badge>}
        {proposed.too_large && <Badge tone="warn">{t('tooLarge')}</Badge>}
      </div>
      <div className={classes['columns']}>
        <section>
          <h3>{languageName(from)}</h3>
          <Words rich={rich} text={source} language={from} />
        </section>
        <section data-proposed>
          <h3>{t('proposed', { language: languageName(into) })}</h3>
          <Words rich={rich} text={proposed.words} language={into} />
        </section>
        {now.trim() !== '' && now !== proposed.words && (
          <section>
            <h3>{t('now', { language: languageName(into) })}</h3>
            <Words rich={rich} text={now} language={into} />
          </section>
        )}
      </div>
    </li>
  )
}
