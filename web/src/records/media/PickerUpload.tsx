import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Media, MediaKind } from '@/api/types'
import { payload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { resourceApi } from '@/api/resource'
import { currentLocale, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Progress } from '@/ui/feedback/Progress'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { accepted, acceptedOf, kindOfName } from './import/kinds'
import { refusalOf, type Sender } from './import/store'
import { sendByTus } from './import/tus'
import classes from './MediaPicker.module.css'

/** A file on its way into the library, while its caption and its credit are typed. */
interface Sent {
  file: File
  state: 'sending' | 'processing' | 'done' | 'refused'
  bytes: number
  mediaId: number | null
  problem: unknown
}

interface PickerUploadProps {
  kind?: MediaKind | undefined
  onDone: (mediaId: number) => void
}

/** Adds a file to the library from the picker: it is sent at once, gets its caption and its credit, and is picked. */
export function PickerUpload({ kind, onDone }: PickerUploadProps) {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const sender = useRef<Sender | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const [legend, setLegend] = useState('')
  const [copyright, setCopyright] = useState('')
  // Closed before the file is there: the server forgets what came of it.
  useEffect(() => () => sender.current?.drop(), [])
  const send = (file: File) => {
    sender.current?.drop()
    sender.current = null
    const other = kind !== undefined && kindOfName(file.name) !== undefined && kindOfName(file.name) !== kind
    const problem = other ? new ProblemError(422, { code: 'media/not-supported' }) : refusalOf(file, payload().limits.media)
    setSent({ file, state: problem === null ? 'sending' : 'refused', bytes: 0, mediaId: null, problem })
    if (problem !== null) return
    const change = (next: Partial<Sent>) => setSent((before) => (before?.file === file ? { ...before, ...next } : before))
    const made = sendByTus(file, {
      onProgress: (bytes) => change({ bytes }),
      onProcessing: () => change({ state: 'processing' }),
      onDone: (mediaId) => {
        sender.current = null
        change({ state: 'done', mediaId })
        void cache.invalidateQueries({ queryKey: ['media'] })
      },
      onRefused: (refused) => {
        sender.current = null
        change({ state: 'refused', problem: refused })
      },
    })
    sender.current = made
    made.start()
  }
  const mediaApi = resourceApi<Media>('/api/v1/medias')
  const languages = payload().content_languages
  const language = languages.includes(currentLocale()) ? currentLocale() : (languages[0] ?? 'fr')
  const save = useMutation({
    mutationFn: async (id: number) => {
      const words = {
        ...(legend.trim() === '' ? {} : { legend: { [language]: legend.trim() } }),
        ...(copyright.trim() === '' ? {} : { copyright: copyright.trim() }),
      }
      if (Object.keys(words).length > 0) await mediaApi.save(id, (await mediaApi.get(id)).version, words)
      return id
    },
    onSuccess: async (id) => {
      await cache.invalidateQueries({ queryKey: ['media'] })
      onDone(id)
    },
  })
  const choose = (
    <>
      <Button size="small" icon={<IconUpload size={16} stroke={1.75} aria-hidden />} onClick={() => input.current?.click()}>
        {t(sent === null ? 'media.upload' : 'media.uploadOther')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('media.upload')}
        accept={kind === undefined ? accepted : acceptedOf(kind)}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) send(file)
          target.value = ''
        }}
      />
    </>
  )
  if (sent === null) return <span className="row">{choose}</span>
  const { file, state, bytes, mediaId, problem } = sent
  return (
    <section className={classes['upload']} aria-label={t('media.upload')}>
      <strong className="ellipsis">{file.name}</strong>
      {(state === 'sending' || state === 'processing') && (
        <Progress total={file.size} done={state === 'processing' ? file.size : bytes}>
          {t(state === 'processing' ? 'media.uploadMade' : 'media.uploadSent', {
            sent: format.bytes(bytes),
            total: format.bytes(file.size),
          })}
        </Progress>
      )}
      {(problem ?? save.error) !== null && (
        <Banner tone="danger" live="alert">
          {problemText(problem ?? save.error)}
        </Banner>
      )}
      {state !== 'refused' && (
        <>
          <Field label={t('media.legend')}>
            {(wiring) => <TextInput {...wiring} value={legend} onChange={setLegend} maxLength={2000} />}
          </Field>
          <Field label={t('media.credit')}>
            {(wiring) => <TextInput {...wiring} value={copyright} onChange={setCopyright} placeholder="© " maxLength={300} />}
          </Field>
        </>
      )}
      <span className="row wrap">
        {state !== 'refused' && (
          <Button
            size="small"
            look="soft"
            busy={save.isPending}
            disabledReason={mediaId === null ? t('media.uploadWait') : undefined}
            onClick={() => mediaId !== null && save.mutate(mediaId)}
          >
            {t('media.uploadTake')}
          </Button>
        )}
        {choose}
      </span>
    </section>
  )
}
