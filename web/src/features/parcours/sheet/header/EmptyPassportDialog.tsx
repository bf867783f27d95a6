import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { languageName } from '@/records/form/fields'
import { useSheet } from '../context'
import { lacksOf, type Lack } from '../missing'
import classes from '../aside/aside.module.css'

/** Shown before a parcours is published that no channel accepts yet: its missing values, each with a link to its field. */
export function EmptyPassportDialog({ onClose, onPublish }: { onClose: () => void; onPublish: () => void }) {
  const { t } = useTranslation('sheet')
  const { parcours, form, goTo, openTab } = useSheet()
  const lacks = lacksOf(form.store.values, parcours.trace !== null, payload().content_languages)
  const wordsOf = ({ key, language }: Lack) =>
    language === null ? t(`missing.lack.${key}`) : t(`missing.lack.${key}`, { language: languageName(language) })
  const mend = ({ path }: Lack) => {
    onClose()
    // Once the dialog has given the focus back.
    requestAnimationFrame(() => (path === null ? openTab('itinerary') : goTo(path)))
  }
  const [first] = lacks
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('publishEmpty.title')}
      actions={
        <>
          <Button onClick={onPublish}>{t('publishEmpty.anyway')}</Button>
          <Button look="primary" data-autofocus onClick={() => (first === undefined ? onClose() : mend(first))}>
            {t('publishEmpty.complete')}
          </Button>
        </>
      }
    >
      <p style={{ marginBottom: 8 }}>{t('publishEmpty.text')}</p>
      <ul className={classes['lacks']}>
        {lacks.map((lack) => (
          <li key={`${lack.key} ${lack.language}`}>
            <button type="button" className={classes['lack']} onClick={() => mend(lack)}>
              {wordsOf(lack)}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
