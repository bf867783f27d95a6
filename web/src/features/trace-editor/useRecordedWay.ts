import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '@/api/client'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { toastError } from '@/ui/feedback/toast'

/** Opened from an entry of the ground, the editor begins with the way that was recorded there, as with any other file. */
export function useRecordedWay(onFile: (file: File) => void): void {
  const { t } = useTranslation('trace')
  const navigate = useNavigate()
  const { releve }: Record<string, string> = useSearch({ strict: false })
  useEffect(() => {
    if (releve === undefined) return
    let current = true
    readWay(releve).then(
      (gpx) => {
        if (!current) return
        onFile(new File([gpx], `${t('import.recorded')}.gpx`, { type: 'application/gpx+xml' }))
        // A page that is loaded again does not ask again.
        void navigate({ to: '.', search: {}, replace: true })
      },
      (error: unknown) => current && toastError(problemText(error)),
    )
    return () => {
      current = false
    }
  }, [releve, onFile, navigate, t])
}

async function readWay(id: string): Promise<ArrayBuffer> {
  const { data } = await api.GET('/api/v1/ground/entries/{id}/track.gpx', { params: { path: { id } }, parseAs: 'arrayBuffer' })
  const bytes: unknown = data
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError('the way is asked for as bytes')
  return bytes
}
