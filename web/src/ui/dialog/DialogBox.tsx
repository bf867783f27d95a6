import { Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useTranslation } from '@/i18n'
import type { DialogProps } from './Dialog'
import { useReturnFocus } from './useReturnFocus'
import classes from './Dialog.module.css'

const widths = { small: 440, medium: 600, large: 860 }

/** The dialog itself: focus goes in and comes back, Escape closes. */
export default function DialogBox({
  opened,
  onClose,
  title,
  size = 'small',
  actions,
  mustAnswer = false,
  beside = false,
  children,
}: DialogProps) {
  const { t } = useTranslation()
  // Rendered closed first: only then does it record the element to which focus returns.
  const there = useMounted()
  // A dialog that is taken away without being closed first gives no focus back itself.
  useReturnFocus()
  return (
    <Modal.Root
      opened={opened && there}
      onClose={onClose}
      size={widths[size]}
      centered
      closeOnClickOutside={!mustAnswer}
      closeOnEscape={!mustAnswer}
      zIndex={200}
      transitionProps={{ duration: 120 }}
      classNames={{ content: classes['content'] ?? '', inner: `${classes['inner'] ?? ''} ${beside ? (classes['beside'] ?? '') : ''}` }}
    >
      <Modal.Overlay {...(beside ? { backgroundOpacity: 0.2 } : {})} />
      <Modal.Content radius={14}>
        {/* A plain box: the library's own header would be a second banner of the page. */}
        <div className={classes['header']}>
          <Modal.Title className={classes['title'] ?? ''}>{title}</Modal.Title>
          {!mustAnswer && <Modal.CloseButton aria-label={t('close')} />}
        </div>
        <Modal.Body className={classes['body'] ?? ''}>
          {children}
          {actions && <div className={classes['actions']}>{actions}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
