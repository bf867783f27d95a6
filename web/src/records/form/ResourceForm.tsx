import { useEffect, useMemo, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { ProblemError } from '@/api/problem'
import { Button, type ButtonProps } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { isDialogOpen } from '@/ui/focus'
import { format } from '@/ui/format'
import { passFocusOn } from '@/ui/list/row-focus'
import { faultText, problemText } from '@/records/problem-text'
import { ConflictDialog, type ConflictWords } from './ConflictDialog'
import { FormProvider, useDirtyCount } from './form-context'
import { LeaveGuard } from './LeaveGuard'
import type { Values } from './paths'
import { TextsContext, type TextsOf } from '@/records/translation/texts'
import type { FormStore } from './store'
import type { ResourceForm as Form, Versioned } from './useResourceForm'

export interface ResourceFormProps<R extends Versioned, V extends Values> extends ConflictWords<R> {
  form: Form<R, V>
  /** « Erreur lors de la sauvegarde du parcours » */
  saveError: string
  /** The id of the form, for a save button outside it (`form="…"`). */
  id?: string
  /** It is inside another form, which HTML does not nest: it has a separate save button. */
  inside?: boolean
  /** The record of the texts, where they are written in several languages. */
  texts?: Omit<TextsOf, 'labelOf'> | undefined
  children: ReactNode
}

/** A form with all that goes with it: faults, draft, conflict, Ctrl S, and the guard on every way out. */
export function ResourceForm<R extends Versioned, V extends Values>({
  form,
  saveError,
  id,
  inside = false,
  texts,
  children,
  ...words
}: ResourceFormProps<R, V>) {
  const { save } = form
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (!event.repeat && !isDialogOpen()) void save()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [save])
  const { fieldLabel } = words
  // By its parts: the fields below are not drawn again when the form is.
  const { kind, id: textsId, version } = texts ?? {}
  const textsOf = useMemo<TextsOf | null>(
    () =>
      kind === undefined || textsId === undefined || version === undefined ? null : { kind, id: textsId, version, labelOf: fieldLabel },
    [kind, textsId, version, fieldLabel],
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <FormProvider value={form.store as unknown as FormStore<Values>}>
      {inside ? (
        <div id={id}>
          <FormNotices form={form} saveError={saveError} />
          <TextsContext value={textsOf}>{children}</TextsContext>
        </div>
      ) : (
        <form id={id} noValidate onSubmit={submit}>
          <FormNotices form={form} saveError={saveError} />
          <TextsContext value={textsOf}>{children}</TextsContext>
        </form>
      )}
      <ConflictDialog form={form} {...words} />
      <LeaveGuard store={form.store} save={save} />
    </FormProvider>
  )
}

/** What concerns the whole form, at its top: a refused save, a draft found on this device. */
function FormNotices<R extends Versioned, V extends Values>({ form, saveError }: { form: Form<R, V>; saveError: string }) {
  const { t } = useTranslation()
  const { problem, noticeRef, draft, draftTitle } = form
  const faults = problem instanceof ProblemError ? problem.faults : []
  const loose = faults.filter((fault) => fault.field === undefined)
  return (
    <div style={{ display: 'grid', gap: 8, marginBottom: problem || draft ? 16 : 0 }}>
      {problem !== null && (
        <Banner tone="danger" live="alert" ref={noticeRef}>
          <strong>{saveError}</strong>
          {format.colon()}
          {faults.length > loose.length ? t('form.toMend', { count: faults.length - loose.length }) : problemText(problem)}
          {loose.map((fault) => (
            <div key={fault.code}>{faultText(fault)}</div>
          ))}
        </Banner>
      )}
      {draft !== null && (
        <Banner
          tone="info"
          live="status"
          actions={
            <>
              <Button ref={passFocusOn} size="small" onClick={form.restoreDraft}>
                {t('form.draftRestore')}
              </Button>
              <Button ref={passFocusOn} size="small" look="ghost" onClick={form.dropDraft}>
                {t('form.draftDrop')}
              </Button>
            </>
          }
        >
          {t(draftTitle === '' ? 'form.draftFound' : 'form.draftFoundOf', {
            count: Object.keys(draft.changes).length,
            when: format.ago(draft.savedAt),
            title: draftTitle,
          })}
        </Banner>
      )}
    </div>
  )
}

/** « Enregistrer 3 changements »; greyed with « Rien à enregistrer ». */
export function SaveButton<R extends Versioned, V extends Values>({
  form,
  create,
  ...rest
}: { form: Form<R, V>; create?: string } & Omit<ButtonProps, 'form' | 'children'>) {
  const { t } = useTranslation()
  const count = useDirtyCount(form.store)
  const nothing = count === 0 && !form.isNew
  return (
    <Button
      look="primary"
      {...rest}
      busy={form.saving}
      disabledReason={rest.disabledReason ?? (nothing ? t('form.nothingToSave') : undefined)}
      aria-keyshortcuts="Control+S"
      onClick={() => void form.save()}
    >
      {form.isNew && create !== undefined ? create : nothing ? t('save') : t('form.save', { count })}
    </Button>
  )
}
