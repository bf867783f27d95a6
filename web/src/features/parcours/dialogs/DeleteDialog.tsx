import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import type { ParcoursUse, Text } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { textOf } from '@/ui/format'
import { ImpactNote } from '@/records/impact/ImpactNote'
import { problemText } from '@/records/problem-text'
import { remove, usesQuery } from '../sheet/queries'
import classes from './dialogs.module.css'

export interface Named {
  id: number
  version: number
  title: Text
}

/** Delete: what uses the parcours is listed first, and its title typed when something would break. Its words are those of `sheet`. */
export default function DeleteDialog({
  parcours,
  onClose,
  onDeleted,
}: {
  parcours: Named
  onClose: () => void
  onDeleted?: () => Promise<void>
}) {
  const { t } = useTranslation('sheet')
  const [failed, setFailed] = useState<unknown>(null)
  const cache = useQueryClient()
  const known = useQuery(usesQuery(parcours.id))
  const uses = known.data?.items ?? []
  const hidden = known.data?.hidden_total ?? 0
  const isUsed = uses.length + hidden > 0
  const parent = known.data?.shown_under ?? null
  const title = textOf(parcours.title)
  const send = useMutation({
    mutationFn: () => remove(parcours.id, parcours.version, isUsed),
    onSuccess: async () => {
      onClose()
      await onDeleted?.()
      cache.removeQueries({ queryKey: ['parcours', parcours.id] })
      void cache.invalidateQueries({ queryKey: ['parcours'] })
      toast({ text: t('done.deleted', { title }) })
    },
    onError: (error) => {
      // Something began to use it meanwhile: the list is asked for again and shown.
      if (error instanceof ProblemError && error.code === 'parcours/in-use') void known.refetch()
      setFailed(error)
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      danger
      title={t('delete.title', { title })}
      confirm={t(isUsed ? 'delete.anyway' : 'delete.go')}
      typed={isUsed ? title : undefined}
      onConfirm={() => send.mutateAsync().catch(() => undefined)}
    >
      <div className={classes['body']}>
        {(failed ?? known.error) !== null && (
          <Banner tone="danger" live="alert">
            {t('error.because', { what: t('error.delete'), why: problemText(failed ?? known.error) })}
          </Banner>
        )}
        <ImpactNote kind="parcours" id={parcours.id} action="delete" />
        {known.isPending && <p className="muted">{t('delete.looking')}</p>}
        {parent !== null && (
          <p>
            {t('delete.shownUnder')}{' '}
            <Link to="/parcours/$id" params={{ id: String(parent.id) }}>
              {textOf(parent.title)}
            </Link>
          </p>
        )}
        {known.isSuccess && !isUsed && parent === null && <p>{t('delete.unused')}</p>}
        {isUsed && (
          <>
            <p>{t('delete.used')}</p>
            <ul className={classes['uses']}>
              {uses.map((use) => (
                <li key={`${use.kind} ${use.id}`}>
                  <Use use={use} />
                </li>
              ))}
              {hidden > 0 && <li className="muted">{t(uses.length > 0 ? 'delete.hidden' : 'delete.hiddenOnly', { count: hidden })}</li>}
            </ul>
          </>
        )}
        <p className="small muted">{t('delete.final')}</p>
      </div>
    </ConfirmDialog>
  )
}

function Use({ use }: { use: ParcoursUse }) {
  const { t } = useTranslation('sheet')
  const name = typeof use.title === 'string' ? use.title : textOf(use.title)
  // The parent is shown above the list.
  const words = use.kind === 'parent' ? name : t(`use.${use.kind}`, { name })
  return use.kind === 'child' || use.kind === 'model' ? (
    <Link to="/parcours/$id" params={{ id: String(use.id) }}>
      {words}
    </Link>
  ) : (
    words
  )
}
