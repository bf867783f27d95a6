import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { ParcoursRow } from '@/api/model'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Banner } from '@/ui/feedback/Banner'
import { textOf } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import { useRowActions } from './actions'

/** Says what a deletion breaks; what is in use is deleted only once its title is typed. */
export function DeleteDialog({ row, onClose }: { row: ParcoursRow; onClose: () => void }) {
  const { t } = useTranslation('parcours')
  const { remove } = useRowActions()
  const { data, error, isPending } = useQuery({
    queryKey: ['parcours', row.id, 'uses'],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/uses', { params: { path: { id: row.id } } })),
    staleTime: 0,
  })
  const uses = data?.items ?? []
  const used = uses.length > 0
  return (
    <ConfirmDialog
      opened={!isPending}
      onClose={onClose}
      danger
      title={t('delete.heading', { title: textOf(row.title) })}
      confirm={t(used ? 'delete.force' : 'delete.confirm')}
      typed={used ? textOf(row.title) : undefined}
      onConfirm={() => remove.mutateAsync({ row, force: used }).then(onClose, () => undefined)}
    >
      {used ? (
        <>
          <p>{t('delete.used')}</p>
          <ul>
            {uses.map((use) => (
              <li key={`${use.kind}${use.id}`}>
                {t(`delete.use.${use.kind}`)} « {typeof use.title === 'string' ? use.title : textOf(use.title)} »
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>{t('delete.unused')}</p>
      )}
      {(remove.error ?? error) && (
        <Banner tone="danger" live="alert">
          {problemText(remove.error ?? error)}
        </Banner>
      )}
    </ConfirmDialog>
  )
}
