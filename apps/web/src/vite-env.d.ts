/// <reference types="vite/client" />
declare module '*.css'
declare module '@fontsource-variable/hanken-grotesk'
declare module '@fontsource-variable/geist-mono'
