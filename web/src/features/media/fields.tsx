import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, type ChangeEvent, type KeyboardEvent, type MouseEvent } from 'react'
import { api, asBytes, ifMatch, unwrap } from '@/api/client'
import { resourceApi } from '@/api/resource'
import { payload } from '@/api/payload'
import type { LngLat, Media, MediaKind } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, ButtonAnchor } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { Segments } from '@/ui/field/inputs'
import { languageName, TextField, TranslatedField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { PointField } from '@/records/form/PointField'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import type { FieldOf } from '@/records/resource/define'
import { UseList } from '@/records/resource/UseList'
import { cropOf, ratioOf, ratios, type Ratio } from './crop'
import classes from './media.module.css'

interface Fields {
  record: Media | null
  f: FieldOf
}

/** Where the caption is shown: under a picture; as the title of a sound or document; for a font, in the library only. */
const legendUse = { image: 'picture', video: 'title', audio: 'title', pdf: 'title', font: 'font' } as const satisfies Record<
  MediaKind,
  string
>

export function Words({ record, f }: Fields) {
  const { t } = useTranslation('media')
  const kind = record?.kind ?? 'image'
  return (
    <>
      <TranslatedField {...f('legend')} kind="lines" max={2000} hint={t(`legendHint.${legendUse[kind]}`)} />
      {kind === 'image' && <TranslatedField {...f('alt')} kind="lines" max={1000} hint={t('altHint')} />}
      <TextField {...f('copyright')} placeholder="© " />
      <TextField {...f('licence')} max={200} hint={t('licenceHint')} />
      <TextField {...f('file_name')} required />
    </>
  )
}

interface Point {
  x: number
  y: number
}
const clamp = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000
const arrows: Record<string, Point> = {
  ArrowLeft: { x: -0.02, y: 0 },
  ArrowRight: { x: 0.02, y: 0 },
  ArrowUp: { x: 0, y: -0.02 },
  ArrowDown: { x: 0, y: 0.02 },
}

/** The focal point, which every crop must show, and the crop around it. */
export function Framing({ record }: Fields) {
  const { t } = useTranslation('media')
  const readOnly = useContext(ReadOnlyContext)
  const focal = useField<Point>('focal')
  const crop = useField<Media['crop']>('crop')
  if (record === null) return null
  const { width, height } = record
  const shape = width !== null && height !== null && height > 0 ? width / height : 1.5
  const ratio = ratioOf(crop.value, shape)
  const put = (point: Point) => {
    const at = { x: clamp(point.x), y: clamp(point.y) }
    focal.set(at)
    if (crop.value !== null) crop.set(cropOf(ratio, shape, at))
  }
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // A click by the keyboard has no coordinates.
    if (event.detail === 0) return
    const box = event.currentTarget.getBoundingClientRect()
    put({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height })
  }
  const onKey = (event: KeyboardEvent) => {
    const by = arrows[event.key]
    if (by === undefined) return
    event.preventDefault()
    put({ x: focal.value.x + by.x, y: focal.value.y + by.y })
  }
  const words = t('framing.at', { x: format.number(focal.value.x * 100), y: format.number(focal.value.y * 100) })
  const framed = (
    <>
      <img src={record.url} alt="" />
      {crop.value !== null && (
        <span
          className={classes['crop']}
          style={{
            left: `${crop.value.x * 100}%`,
            top: `${crop.value.y * 100}%`,
            width: `${crop.value.w * 100}%`,
            height: `${crop.value.h * 100}%`,
          }}
        />
      )}
      <span className={classes['focal']} style={{ left: `${focal.value.x * 100}%`, top: `${focal.value.y * 100}%` }} />
    </>
  )
  if (readOnly)
    return (
      <>
        <div>
          <div className={classes['frame']}>{framed}</div>
        </div>
        <p className="small">{format.labelled(t('framing.focal'), words)}</p>
      </>
    )
  return (
    <>
      <p className="small muted">{t('framing.hint')}</p>
      <div>
        <button
          type="button"
          className={classes['frame']}
          data-field="focal"
          aria-label={`${t('framing.focal')}, ${words}`}
          onClick={press}
          onKeyDown={onKey}
        >
          {framed}
        </button>
      </div>
      <p className="small" role="status">
        {words}
      </p>
      <Segments<Ratio>
        data-field="crop"
        label={t('framing.ratio')}
        value={ratio}
        onChange={(next) => crop.set(cropOf(next, shape, focal.value))}
        choices={ratios.map((value) => ({ value, label: value === 'whole' ? t('framing.whole') : value }))}
      />
    </>
  )
}

/** The place of the media; a place found in the file is proposed, and is never public automatically. */
export function Place({ record, f }: Fields) {
  const { t } = useTranslation('media')
  const readOnly = useContext(ReadOnlyContext)
  const { value, set } = useField<LngLat | null>('location')
  const offered = record?.location_offered ?? null
  return (
    <>
      {offered !== null && value === null && !readOnly && (
        <Banner
          actions={
            <Button size="small" onClick={() => set(offered)}>
              {t('takePlace')}
            </Button>
          }
        >
          {t('placeOffered')}
        </Banner>
      )}
      <PointField {...f('location')} />
    </>
  )
}

/** The file, another in its place, and one for each language. */
export function Files({ record }: Fields) {
  const { t } = useTranslation('media')
  const readOnly = useContext(ReadOnlyContext)
  const cache = useQueryClient()
  const send = useMutation({
    // Without a language the original; `null` takes the file of a language away.
    mutationFn: ({ language, file }: { language?: string; file: File | null }) => {
      const { id, version } = record ?? { id: 0, version: 0 }
      const header = ifMatch(version)
      if (file === null)
        return unwrap(api.DELETE('/api/v1/medias/{id}/translations/{language}', { params: { path: { id, language: language ?? '' } } }))
      const sent = { ...asBytes, body: file }
      const query = { file_name: file.name }
      return unwrap(
        language === undefined
          ? api.PUT('/api/v1/medias/{id}/file', { params: { path: { id }, header, query }, ...sent })
          : api.PUT('/api/v1/medias/{id}/translations/{language}', { params: { path: { id, language }, query }, ...sent }),
      )
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['media'] })
      toast({ text: t('resource:entity.media.saved') })
    },
    onError: (error) => toastError(t('resource:because', { what: t('resource:entity.media.saveError'), why: problemText(error) })),
  })
  if (record === null) return null
  const languages = payload().content_languages
  return (
    <ul className={classes['files']}>
      <li>
        <strong>{t('original')}</strong> <span className="small muted">{record.file_name}</span>
        {!readOnly && <FileButton words={t('replaceFile')} busy={send.isPending} onFile={(file) => send.mutate({ file })} />}
      </li>
      {languages.slice(1).map((code) => {
        const translated = record.translated[code]
        return (
          <li key={code}>
            <strong>{t('inLanguage', { language: languageName(code) })}</strong>
            {translated === undefined ? (
              <span className="small muted">{t('noTranslated')}</span>
            ) : (
              <ButtonAnchor look="link" size="small" href={translated.url}>
                {translated.file_name} ({format.bytes(translated.bytes)})
              </ButtonAnchor>
            )}
            {!readOnly && (
              <FileButton
                words={t(translated === undefined ? 'addTranslated' : 'replaceFile')}
                busy={send.isPending}
                onFile={(file) => send.mutate({ language: code, file })}
              />
            )}
            {!readOnly && translated !== undefined && (
              <Button size="small" look="ghost" busy={send.isPending} onClick={() => send.mutate({ language: code, file: null })}>
                {t('dropTranslated', { language: languageName(code) })}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function FileButton({ words, busy, onFile }: { words: string; busy: boolean; onFile: (file: File) => void }) {
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (file !== undefined) onFile(file)
    event.target.value = ''
  }
  const open = (event: MouseEvent<HTMLButtonElement>) => {
    const input = event.currentTarget.closest('[data-offer]')?.querySelector('input')
    input?.click()
  }
  return (
    <span className={classes['offer']} data-offer>
      <Button size="small" busy={busy} onClick={open}>
        {words}
      </Button>
      <input type="file" hidden onChange={take} />
    </span>
  )
}

/** The records that use the media file. */
export function Uses({ record }: Fields) {
  const { t } = useTranslation('media')
  const id = record?.id ?? 0
  const uses = useQuery({ queryKey: ['media', id, 'uses'], queryFn: () => resourceApi('/api/v1/medias').uses(id) })
  if (uses.error) return <Banner tone="danger">{problemText(uses.error)}</Banner>
  if (uses.data === undefined) return <Skeleton height={40} />
  if (uses.data.total === 0) return <p className="muted">{t('notUsedAnywhere', { title: textOf(record?.legend, record?.file_name) })}</p>
  return <UseList uses={uses.data.items} total={uses.data.total} hidden={uses.data.hidden_total} />
}
