import { Drawer } from '@mantine/core'
import { useTranslation } from '@/i18n'
import { ImportPanel } from './ImportPanel'

/** The import beside the library: it hides nothing, and can be folded while files travel. */
export default function ImportDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('medias')
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={380}
      zIndex={150}
      trapFocus={false}
      lockScroll={false}
      closeOnClickOutside={false}
    >
      <Drawer.Content aria-label={t('import.title')}>
        <Drawer.Body p={0} h="100%">
          <ImportPanel onClose={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
