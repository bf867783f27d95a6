import IconFileDownload from '@tabler/icons-react/dist/esm/icons/IconFileDownload.mjs'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { useCan } from '@/api/session'
import { Button, type ButtonProps } from '@/ui/button/Button'
import { toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'
import { saveFile } from '@/ui/save-file'
import { useSheet } from '../context'
import { printRoadbook } from './queries'

interface Props extends Pick<ButtonProps, 'disabledReason' | 'size' | 'children' | 'aria-label'> {
  /** A client file, whose roadbook it is. */
  clientFile?: number | undefined
}

/** Downloads the PDF of the saved roadbook. */
export function PrintButton({ clientFile, disabledReason, ...button }: Props) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const may = useCan('content.export')
  const print = useMutation({
    mutationFn: () => printRoadbook(parcours.id, clientFile),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
    onError: (error) => toastError(t('because', { what: t('error.read'), why: problemText(error) })),
  })
  return (
    <Button
      {...button}
      busy={print.isPending}
      disabledReason={may ? disabledReason : t('download.notAllowed')}
      icon={<IconFileDownload size={18} stroke={1.75} aria-hidden />}
      onClick={() => print.mutate()}
    />
  )
}
