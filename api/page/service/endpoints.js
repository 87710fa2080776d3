/** The service's calls that the page makes; a test holds them against the OpenAPI document. */

export const ENDPOINTS = {
  health: "GET /v1/health",
  deck: "GET /v1/deck",
  sample: "GET /v1/samples/{name}",
  read: "POST /v1/readings",
  score: "POST /v1/scores",
  solve: "POST /v1/solutions",
  trays: "GET /v1/trays",
  openTable: "POST /v1/tables",
  lobby: "GET /v1/tables/{code}/lobby",
  join: "POST /v1/tables/{code}/join",
  table: "GET /v1/tables/{table}",
  deleteTable: "DELETE /v1/tables/{table}",
  events: "GET /v1/tables/{table}/events",
  reissue: "POST /v1/tables/{table}/players/{player}/token",
  startPhoto: "POST /v1/tables/{table}/players/{player}/tray",
  startPhotoForAll: "POST /v1/tables/{table}/tray",
  setPin: "POST /v1/tables/{table}/players/{player}/pin",
  reveal: "POST /v1/tables/{table}/rounds",
  hourglass: "POST /v1/tables/{table}/rounds/{number}/hourglass",
  sendTray: "POST /v1/tables/{table}/rounds/{number}/trays/{player}",
  correctTray: "PATCH /v1/tables/{table}/rounds/{number}/trays/{player}",
  lock: "POST /v1/tables/{table}/rounds/{number}/lock",
  finish: "POST /v1/tables/{table}/finish",
  dispute: "POST /v1/tables/{table}/disputes",
  disputePhotos: "POST /v1/tables/{table}/disputes/{number}/photos",
  consent: "POST /v1/tables/{table}/disputes/{number}/consent",
  resolve: "POST /v1/tables/{table}/disputes/{number}/resolve",
  solo: "GET /v1/tables/{table}/solo",
  invitation: "GET /v1/tables/{code}/invitation",
  commitShare: "POST /v1/tables/{table}/seals/{seal}/commitment",
  tellShare: "POST /v1/tables/{table}/seals/{seal}/nonce",
  makeWords: "POST /v1/tables/{table}/seals/{seal}/words",
  chain: "GET /v1/tables/{table}/chain/{after}",
  evidence: "GET /v1/tables/{table}/evidence.zip",
};

/** Calls over WebSockets, which OpenAPI cannot describe; a test holds them against the routes. */
export const SOCKETS = {
  live: "/v1/live",
  tableLive: "/v1/tables/{table}/live",
};
