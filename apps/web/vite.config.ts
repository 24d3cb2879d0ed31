import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = 'http://127.0.0.1:8080'

/** Pages and calls share their paths: what asks for HTML is a page and stays here, the rest goes to the server. */
const toServer = {
  target: api,
  ws: true,
  bypass: (request: { headers: { accept?: string }; url?: string }) =>
    request.headers.accept?.includes('text/html') ? '/index.html' : undefined,
}

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 400 },
  server: { proxy: { '^/(?!src/|@|node_modules/|assets/|favicon)': toServer } },
})
