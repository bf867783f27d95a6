import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useContext, useRef } from 'react'
import { payload } from '@/api/payload'
import { api, asBytes, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import type { FieldProps } from '@/ui/field/Field'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { useField } from './form-context'
import classes from './MediaField.module.css'
import { MediaField } from './MediaField'
import { ReadOnlyContext } from './read-only'

/** What a logo may be: vector drawings and pictures that keep their transparency. */
const TAKEN = '.png,.webp,.svg'

/** A logo: chosen among the media, or sent from here with the limits of logos, which are smaller than those of photos. */
export function LogoField({ name, ...props }: Pick<FieldProps, 'label' | 'hint' | 'required'> & { name: string }) {
  const { t } = useTranslation()
  const readOnly = useContext(ReadOnlyContext)
  const { set } = useField<number | null>(name)
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const limits = payload().limits.media?.logo
  const send = useMutation({
    mutationFn: (file: File) =>
      unwrap(api.POST('/api/v1/medias', { params: { query: { file_name: file.name, purpose: 'logo' } }, ...asBytes, body: file })),
    onSuccess: async ({ id }) => {
      await cache.invalidateQueries({ queryKey: ['media'] })
      set(id)
    },
  })
  const label = typeof props.label === 'string' ? props.label : ''
  return (
    <div className={classes['logo']}>
      <MediaField name={name} {...props} kind="image" />
      {!readOnly && (
        <>
          <input
            ref={input}
            type="file"
            accept={TAKEN}
            hidden
            aria-label={t('media.logoFile', { label })}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) send.mutate(file)
              target.value = ''
            }}
          />
          <Button
            size="small"
            icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
            busy={send.isPending}
            onClick={() => input.current?.click()}
          >
            {t('media.logoSend')}
          </Button>
          {limits !== undefined && (
            <p className={classes['hint']}>
              {t('media.logoLimits', { width: format.number(limits.min_width ?? 0), weight: format.bytes(limits.max_bytes) })}
            </p>
          )}
          {send.error !== null && (
            <Banner tone="danger" live="alert">
              {problemText(send.error)}
            </Banner>
          )}
        </>
      )}
    </div>
  )
}
