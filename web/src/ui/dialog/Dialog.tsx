import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import classes from './Dialog.module.css'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** The buttons, main one last. */
  actions?: ReactNode
  /** It may only be left by one of its buttons. */
  mustAnswer?: boolean
  children?: ReactNode
}

const widths = { small: 440, medium: 600, large: 860 }

/** A dialog: focus goes in and comes back, Escape closes. */
export function Dialog({ opened, onClose, title, size = 'small', actions, mustAnswer = false, children }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={widths[size]}
      centered
      withCloseButton={!mustAnswer}
      closeOnClickOutside={!mustAnswer}
      closeOnEscape={!mustAnswer}
      zIndex={200}
      radius={14}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes['title'] ?? '', body: classes['body'] ?? '', content: classes['content'] ?? '', header: classes['header'] ?? '' }}
    >
      {children}
      {actions && <div className={classes['actions']}>{actions}</div>}
    </Modal>
  )
}
