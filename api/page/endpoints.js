/** The service's calls that the page makes; a test holds them against the OpenAPI document. */

export const ENDPOINTS = {
  health: "GET /v1/health",
  deck: "GET /v1/deck",
  samples: "GET /v1/samples",
  sample: "GET /v1/samples/{name}",
  read: "POST /v1/readings",
  score: "POST /v1/scores",
  solve: "POST /v1/solutions",
  trays: "GET /v1/trays",
  measure: "POST /v1/trays",
  openTable: "POST /v1/tables",
  lobby: "GET /v1/tables/{code}/lobby",
  join: "POST /v1/tables/{code}/join",
  table: "GET /v1/tables/{id}",
  deleteTable: "DELETE /v1/tables/{id}",
  events: "GET /v1/tables/{id}/events",
  reissue: "POST /v1/tables/{id}/players/{player}/token",
  setPin: "POST /v1/tables/{id}/players/{player}/pin",
  reveal: "POST /v1/tables/{id}/rounds",
  hourglass: "POST /v1/tables/{id}/rounds/{n}/hourglass",
  sendTray: "POST /v1/tables/{id}/rounds/{n}/trays/{player}",
  correctTray: "PATCH /v1/tables/{id}/rounds/{n}/trays/{player}",
  lock: "POST /v1/tables/{id}/rounds/{n}/lock",
  finish: "POST /v1/tables/{id}/finish",
  dispute: "POST /v1/tables/{id}/disputes",
  disputePhotos: "POST /v1/tables/{id}/disputes/{d}/photos",
  consent: "POST /v1/tables/{id}/disputes/{d}/consent",
  resolve: "POST /v1/tables/{id}/disputes/{d}/resolve",
  evidence: "GET /v1/tables/{id}/evidence.zip",
};

/** Calls over WebSockets, which OpenAPI cannot describe; a test holds them against the routes. */
export const SOCKETS = {
  live: "/v1/live",
  tableLive: "/v1/tables/{id}/live",
};
