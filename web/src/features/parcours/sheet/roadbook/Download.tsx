import IconFileDownload from '@tabler/icons-react/dist/esm/icons/IconFileDownload.mjs'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { useCan } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { toastError } from '@/ui/feedback/toast'
import { useDirtyCount } from '@/ui/form/form-context'
import type { FormStore } from '@/ui/form/store'
import { problemText } from '@/ui/problem-text'
import { saveFile } from '@/ui/save-file'
import { useSheet } from '../context'
import { printRoadbook } from './queries'
import type { RoadbookValues } from './values'

/** The PDF of what is saved: what is still typed would not be on it. */
export function Download({ store }: { store: FormStore<RoadbookValues> }) {
  const { t } = useTranslation('roadbook')
  const { parcours, form } = useSheet()
  const may = useCan('content.export')
  const typed = useDirtyCount(store) + useDirtyCount(form.store) > 0
  const print = useMutation({
    mutationFn: () => printRoadbook(parcours.id),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
    onError: (error) => toastError(t('because', { what: t('error.read'), why: problemText(error) })),
  })
  return (
    <Button busy={print.isPending} disabledReason={may ? (typed ? t('download.saveFirst') : undefined) : t('download.notAllowed')} icon={<IconFileDownload size={18} stroke={1.75} aria-hidden />} onClick={() => print.mutate()}>
      {t('download.pdf')}
    </Button>
  )
}
