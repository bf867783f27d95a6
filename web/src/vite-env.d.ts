/// <reference types="vite/client" />
declare module '@mantine/core/styles/*.css'
