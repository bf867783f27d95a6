import { useTranslation } from '@/i18n'

/** For screen readers: how many entries the list has, and which one Enter takes. Nothing while Enter takes none. */
export function FirstFound({ count, name }: { count: number; name: string | undefined }) {
  const { t } = useTranslation()
  return (
    <span className="visually-hidden" aria-live="polite">
      {name !== undefined && t('form.enterTakes', { count, name })}
    </span>
  )
}
